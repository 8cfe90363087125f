-- Headroom: chooses nodes, cores per node and package cap of a job at its submission, and charges
-- the configuration's power as licences "watt". It sets no cap on hardware.
-- The site's job_submit.lua loads it, and calls headroom_submit and headroom_modify. All that differs
-- between sites is data in two files next to this one, read when Slurm loads it: headroom_settings.csv
-- and headroom_jobs.csv.

local LICENCE = "watt"
local MARK = "application="

local function folder()
  local source = string.gsub(debug.getinfo(1, "S").source, "^@", "")
  return string.match(source, "^(.*/)") or "./"
end

local function cells(line)
  local row = {}
  for cell in string.gmatch(string.gsub(line, "\r$", "") .. ",", "([^,]*),") do
    row[#row + 1] = cell
  end
  return row
end

local NUMBERS = { "nodes", "cores_per_node", "bound_w", "full_cap_w", "agent_uid" }

local function read_settings(path)
  local settings = {}
  for line in io.lines(path) do
    local row = cells(line)
    settings[row[1]] = row[2]
  end
  for _, name in ipairs(NUMBERS) do settings[name] = tonumber(settings[name]) end
  return settings
end

local function read_tables(path)
  local tables, first = {}, true
  for line in io.lines(path) do
    local row = cells(line)
    if not first then
      tables[row[2]] = tables[row[2]] or {}
      table.insert(tables[row[2]], {
        nodes = tonumber(row[3]), cores = tonumber(row[4]), cap = tonumber(row[5]),
        time = tonumber(row[6]), power = tonumber(row[7]), cap_text = row[5], time_text = row[6],
      })
    end
    first = false
  end
  return tables
end

local settings = read_settings(folder() .. "headroom_settings.csv")
local tables = read_tables(folder() .. "headroom_jobs.csv")

local FASTEST = { "time", "power", "nodes", "cores", "cap" }
local CHEAPEST = { "power", "time", "nodes", "cores", "cap" }

local function before(one, other, keys)
  for _, key in ipairs(keys) do
    if one[key] ~= other[key] then return one[key] < other[key] end
  end
  return false
end

local function first(rows, keys)
  local best = nil
  for _, row in ipairs(rows) do
    if best == nil or before(row, best, keys) then best = row end
  end
  return best
end

local function those(rows, wanted)
  local kept = {}
  for _, row in ipairs(rows) do
    if wanted(row) then kept[#kept + 1] = row end
  end
  return kept
end

-- Whether one of a job's partitions takes a job of this size and length. A job beyond all of them
-- would wait for ever. Jobs hold whole nodes, so a limit below the cores of a node starts none of them.
-- Slurm itself refuses a partition that does not exist.
local function taken_by(names, partitions, nodes, minutes)
  local known = false
  local function takes(partition)
    known = true
    return nodes >= (partition.min_nodes or 0) and nodes <= (partition.max_nodes or math.huge)
      and nodes <= (partition.total_nodes or math.huge)
      and minutes <= (partition.max_time or math.huge)
      and settings.cores_per_node <= (partition.max_cpus_per_node or math.huge)
  end
  if names == nil then
    for _, partition in pairs(partitions) do
      if partition.flag_default == 1 and takes(partition) then return true end
    end
  end
  for name in string.gmatch(names or "", "[^,]+") do
    if partitions[name] ~= nil and takes(partitions[name]) then return true end
  end
  return not known
end

local function possible(row)
  return row.nodes <= settings.nodes and row.power <= settings.bound_w
end

local function chosen(row, minutes, note)
  return { row = row, minutes = minutes, note = note, charge = math.ceil(row.power) }
end

local function minutes_of(row, minutes)
  return math.max(minutes, math.ceil(row.time / 60))
end

local function traditional(rows, nodes, minutes, taken)
  local full = those(rows, function(row)
    return row.cores == settings.cores_per_node and row.cap == settings.full_cap_w
  end)
  local measured = those(full, function(row) return row.nodes == nodes end)[1]
  if measured == nil then return nil, "not measured" end
  if measured.power <= settings.bound_w then
    if not taken(nodes, minutes) then return nil, "beyond the partition" end
    return chosen(measured, minutes, "fits")
  end
  local most = nil
  local runnable = those(full, possible)
  for _, row in ipairs(runnable) do
    if taken(row.nodes, minutes) and (most == nil or row.nodes > most.nodes) then most = row end
  end
  if most == nil then
    return nil, #runnable == 0 and "above the bound" or "beyond the partition"
  end
  return chosen(most, minutes, "truncated")
end

local function naive(rows, nodes, minutes, taken)
  local runnable = those(rows, possible)
  local allowed = those(runnable, function(row) return taken(row.nodes, minutes_of(row, minutes)) end)
  local share = nodes * settings.bound_w / settings.nodes
  local function affordable(row) return row.power <= share end
  local best = first(those(allowed, affordable), FASTEST)
  if best ~= nil then return chosen(best, minutes_of(best, minutes), "fits") end
  if settings.fallback == "reject" then
    local elsewhere = #those(runnable, affordable) > 0
    return nil, elsewhere and "beyond the partition" or "below the cheapest"
  end
  local cheapest = first(allowed, CHEAPEST)
  if cheapest == nil then
    return nil, #runnable == 0 and "above the bound" or "beyond the partition"
  end
  return chosen(cheapest, minutes_of(cheapest, minutes), "raised")
end

-- taken(nodes, minutes) says whether a partition of the job takes such a configuration.
function headroom_decide(application, nodes, minutes, taken)
  if nodes > settings.nodes then return nil, "too many nodes" end
  local decide = settings.rule == "traditional" and traditional or naive
  return decide(tables[application], nodes, minutes, taken)
end

function headroom_application(comment, name)
  for word in string.gmatch(comment or "", "[^ \t\n\v\f\r,;]+") do
    if string.sub(word, 1, #MARK) == MARK then
      local named = string.sub(word, #MARK + 1)
      if tables[named] == nil then return nil, "unknown application" end
      return named
    end
  end
  if name ~= nil and tables[name] ~= nil then return name end
  if settings.default_application == "" then return nil, "no application" end
  return settings.default_application
end

-- The user's other licences, with this job's watts in place of any that were requested.
function headroom_licences(requested, charge)
  local kept = { LICENCE .. ":" .. string.format("%d", charge) }
  for licence in string.gmatch(requested or "", "[^,;]+") do
    if string.match(licence, "^%s*([^:@*%s]*)") ~= LICENCE then kept[#kept + 1] = licence end
  end
  return table.concat(kept, ",")
end

local REMEDIES = {
  ["unknown application"] = "write --comment=application=NAME with an application of headroom_jobs.csv",
  ["no application"] = "write --comment=application=NAME",
  ["too many nodes"] = "request fewer nodes",
  ["not measured"] = "request a number of nodes at which the application was measured",
  ["above the bound"] = "no configuration is within the power bound; ask the administrators",
  ["below the cheapest"] = "request more nodes: their share of the power bound is below the cheapest configuration",
  ["beyond the partition"] = "its partition takes no configuration of that size and time limit; choose another partition (-p), or request less time",
  ["GPUs"] = "the tables have no configuration with GPUs; leave out --gpus and --gres=gpu",
  ["no nodes"] = "request one number of nodes (-N)",
  ["no time limit"] = "give a time limit (-t)",
  ["ranks"] = "leave out --ntasks, --ntasks-per-node and --cpus-per-task: the configuration decides them",
  ["heterogeneous job"] = "submit its parts as jobs of their own",
}

local function refuse(reason)
  slurm.log_info("headroom: refused, %s", reason)
  slurm.log_user("headroom: refused, %s; %s", reason, REMEDIES[reason])
  return slurm.ERROR
end

local function given(value, none)
  return value ~= nil and value ~= none
end

local TRES = { "tres_per_job", "tres_per_node", "tres_per_socket", "tres_per_task" }
local OF_GPUS = { gpu = true, mps = true, shard = true }

local function requests_gpus(job)
  for _, field in ipairs(TRES) do
    for request in string.gmatch(job[field] or "", "[^,]+") do
      local named = string.gsub(request, "^%s*gres[:/]", "")
      if OF_GPUS[string.match(named, "^[^:=/%s]*")] and not string.match(named, "[:=]0+$") then
        return true
      end
    end
  end
  return false
end

local function unusable(job)
  if requests_gpus(job) then return "GPUs" end
  if given(job.het_job_offset, slurm.NO_VAL) then return "heterogeneous job" end
  if not given(job.min_nodes, slurm.NO_VAL) or job.min_nodes < 1 then return "no nodes" end
  if given(job.max_nodes, slurm.NO_VAL) and job.max_nodes ~= job.min_nodes then return "no nodes" end
  if not given(job.time_limit, slurm.NO_VAL) or job.time_limit == slurm.INFINITE then
    return "no time limit"
  end
  if given(job.num_tasks, slurm.NO_VAL) or given(job.ntasks_per_node, slurm.NO_VAL16)
    or given(job.cpus_per_task, slurm.NO_VAL16) then
    return "ranks"
  end
  return nil
end

-- Without blanks, in the order in which the agent reads it.
local function record(application, nodes, minutes, choice)
  return string.format(
    "headroom:application=%s,requested_nodes=%d,requested_minutes=%d,nodes=%d,cores_per_node=%d,package_cap_w=%s,note=%s",
    application, nodes, minutes, choice.row.nodes, choice.row.cores,
    choice.row.cap_text, choice.note)
end

local function apply(job, application, choice)
  local row = choice.row
  job.admin_comment = record(application, job.min_nodes, job.time_limit, choice)
  job.licenses = headroom_licences(job.licenses, choice.charge)
  job.min_nodes = row.nodes
  job.max_nodes = row.nodes
  job.num_tasks = row.nodes * row.cores
  job.ntasks_per_node = row.cores
  job.min_cpus = row.nodes * row.cores
  job.time_limit = choice.minutes
  job.shared = 0
end

function headroom_submit(job, partitions, user)
  local reason = unusable(job)
  if reason ~= nil then return refuse(reason) end
  local application, unnamed = headroom_application(job.comment, job.name)
  if application == nil then return refuse(unnamed) end
  local function taken(nodes, minutes)
    return taken_by(job.partition, partitions, nodes, minutes)
  end
  local choice, refusal = headroom_decide(application, job.min_nodes, job.time_limit, taken)
  if choice == nil then return refuse(refusal) end
  apply(job, application, choice)
  slurm.log_info("headroom: %s, charged %d W, %s", choice.note, choice.charge, job.admin_comment)
  slurm.log_user(
    "headroom: %s on %d nodes x %d cores, package cap %s W, %s s expected, charged %d W (%s)",
    application, choice.row.nodes, choice.row.cores, choice.row.cap_text, choice.row.time_text,
    choice.charge, choice.note)
  return slurm.SUCCESS
end

local CONFIGURATION = {
  { "min_nodes", "NO_VAL" }, { "max_nodes", "NO_VAL" }, { "num_tasks", "NO_VAL" },
  { "min_cpus", "NO_VAL" }, { "max_cpus", "NO_VAL" }, { "ntasks_per_node", "NO_VAL16" },
  { "cpus_per_task", "NO_VAL16" }, { "shared", "NO_VAL16" }, { "licenses", nil },
  { "admin_comment", nil }, { "tres_per_job", nil }, { "tres_per_node", nil },
  { "tres_per_socket", nil }, { "tres_per_task", nil },
}

local function changes_configuration(job)
  for _, field in ipairs(CONFIGURATION) do
    if given(job[field[1]], slurm[field[2] or ""]) then return true end
  end
  return false
end

local function moves_beyond(job, before_change, partitions)
  if job.partition == nil or before_change.min_nodes == nil then return false end
  local minutes = before_change.time_limit
  if given(job.time_limit, slurm.NO_VAL) then minutes = job.time_limit end
  return not taken_by(job.partition, partitions, before_change.min_nodes, minutes)
end

-- Only root and the agent change a configuration, and only while the job is pending: a running
-- job's charge stays what it was charged at its start.
function headroom_modify(job, before_change, partitions, user)
  local allowed = user == 0 or user == settings.agent_uid
  if not allowed and moves_beyond(job, before_change, partitions) then
    return refuse("beyond the partition")
  end
  if not changes_configuration(job) then return slurm.SUCCESS end
  if allowed and before_change.job_state % 256 == 0 then return slurm.SUCCESS end
  slurm.log_info("headroom: refused a change of configuration by user %d", user)
  return slurm.ESLURM_ACCESS_DENIED
end

slurm.log_info("headroom: %d nodes under %d W, rule %s", settings.nodes, settings.bound_w, settings.rule)
