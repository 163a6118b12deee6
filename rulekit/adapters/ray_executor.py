"""Simulations on a Ray cluster: ray and rulekit are installed on this machine and on those of the cluster."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class RayExecutor:
    """An executor for `simulate`: `submit` as in `concurrent.futures`, on the Ray cluster that this process
    is connected to; if it is to none, on one that Ray starts on this machine.

    ``options``  of the remote function that plays a piece, as Ray names them: `num_cpus=1`, `runtime_env=...`

    Raises ImportError if Ray is not installed.
    """

    def __init__(self, **options: Any) -> None:
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise ImportError("`RayExecutor` needs Ray: pip install ray") from error
        if not ray.is_initialized():
            ray.init()
        self._ray, self._options = ray, options
        self._remote: dict[Callable[..., Any], Any] = {}

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Runs a function on the cluster; gives at once what its result can be had from."""
        remote = self._remote.get(function)
        if remote is None:
            remote = self._ray.remote(function)
            self._remote[function] = remote = remote.options(**self._options) if self._options else remote
        future: Future[Any] = remote.remote(*arguments).future()
        return future

    def ncores(self) -> dict[str, int]:
        """How many cores the cluster has, as a Dask client tells it: for so many pieces at a time."""
        return {"cluster": int(self._ray.cluster_resources().get("CPU", 1))}


__all__ = ["RayExecutor"]
