"""llama.cpp for Python: the registry has it as source only, so it is compiled once and the wheel kept.

A wheel is looked for in the folder that FINGERPOST_WHEELS names, then in the user's cache.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from pathlib import Path

import system
from environment import Environment
from steps import SetupError, Steps


def install(steps: Steps, environment: Environment) -> None:
    """Install llama-cpp-python in the version that pyproject.toml names."""
    requirement = _requirement(environment.root)
    name, version = requirement.split("==")
    if environment.says(f"from importlib.metadata import version; assert version({name!r}) == {version!r}"):
        return
    cache = _cache()
    kept = [folder for folder in (os.environ.get("FINGERPOST_WHEELS"), str(cache)) if folder]
    links = [argument for folder in kept for argument in ("--find-links", folder)]
    with_wheel = ["install", "--no-deps", "--no-index", "--only-binary", ":all:", *links, requirement]
    with steps.step(f"{requirement} from a wheel built before"):
        found = environment.pip_succeeds(steps, *with_wheel)
    if not found:
        system.require(steps, () if shutil.which("c++") else system.COMPILER_PACKAGES)
        with steps.step(f"{requirement} is compiled, once: about 10 to 30 minutes"):
            _build(steps, environment, requirement, cache)
            environment.pip(steps, *with_wheel)


def _build(steps: Steps, environment: Environment, requirement: str, cache: Path) -> None:
    """Compile the wheel and put it into `cache` in one move, so that no half-written one stays there."""
    cache.mkdir(parents=True, exist_ok=True)
    env = {"CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1), **_cmake_arguments()}
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        environment.pip(steps, "wheel", "--no-deps", "--wheel-dir", folder, requirement, env=env)
        for wheel in Path(folder).glob("*.whl"):
            wheel.replace(cache / wheel.name)


def _cmake_arguments() -> dict[str, str]:
    """Options for a wheel that also runs on other machines of this kind, or the user's own CMAKE_ARGS."""
    if "CMAKE_ARGS" in os.environ:
        return {}
    options = ["-DGGML_NATIVE=OFF"]
    if platform.machine() == "x86_64" and "avx2" in Path("/proc/cpuinfo").read_text("utf-8"):
        options += ["-DGGML_AVX2=ON", "-DGGML_FMA=ON", "-DGGML_F16C=ON", "-DGGML_BMI2=ON"]
    return {"CMAKE_ARGS": " ".join(options)}


def _requirement(root: Path) -> str:
    pin = re.search(r'"(llama-cpp-python==[^";]+)"', (root / "pyproject.toml").read_text("utf-8"))
    if not pin:
        raise SetupError("pyproject.toml does not pin llama-cpp-python to one version.")
    return pin.group(1)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fingerpost" / "wheels"
