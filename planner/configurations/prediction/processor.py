"""Published facts of a processor, known before anything is measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scenarios.measurements.runs import Floats

if TYPE_CHECKING:
    from planner.configurations.provisioning import NodeMaximum


@dataclass(frozen=True)
class Processor:
    """Published facts of a node's processors. Default: two Xeon E5-2670 of the thesis.

    The thesis prints E5-2690 in section 3.2 and in Table 4.3, and E5-2670 in the text of section
    4.3. Its 2.6 GHz, turbo of 3.3 GHz and 115 W are those of the E5-2670.

    Attributes
    ----------
    sockets
        Packages of a node.
    cores
        Cores of a package.
    base_ghz
        Highest frequency under a cap, where turbo is off [GHz].
    least_ghz
        Lowest frequency [GHz].
    turbo_ghz
        Turbo frequency by active cores of a package, from one to all [GHz].
    turbo_cap_w
        From this cap of a package on there is no cap and turbo is on [W].

    References
    ----------
    Thesis, section 3.2 (2.6 GHz, 3.3 GHz, caps) and figure 3.3, whose bins are read here from the
    ratio of run times of SC at 95 W and 115 W: 1.267 to 1.150 for 4 to 16 cores of a node.
    """

    sockets: int = 2
    cores: int = 8
    base_ghz: float = 2.6
    least_ghz: float = 1.2
    turbo_ghz: tuple[float, ...] = (3.3, 3.3, 3.2, 3.2, 3.1, 3.1, 3.0, 3.0)
    turbo_cap_w: float = 115.0

    def turbo(self, package_cap_w: Floats) -> Floats:
        """Return 1 where turbo is on, else 0."""
        return (package_cap_w >= self.turbo_cap_w).astype(float)

    def highest_ratio(self, cores_per_node: Floats, package_cap_w: Floats) -> Floats:
        """Highest frequency over the base frequency; cores lie evenly over the sockets."""
        active = np.ceil(cores_per_node / self.sockets).astype(int)
        bins = np.array(self.turbo_ghz)[np.clip(active, 1, len(self.turbo_ghz)) - 1]
        return np.where(package_cap_w >= self.turbo_cap_w, bins / self.base_ghz, 1.0)


E5_2670 = Processor()


def of_node(node: NodeMaximum) -> Processor:
    """The default processor with a node's sockets and TDP: what is known of a node."""
    return replace(E5_2670, sockets=node.sockets, turbo_cap_w=node.tdp_w)
