"""Power-aware scheduling by integer programs, on a stated part of the thesis's grid."""
