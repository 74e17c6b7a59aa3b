"""What Windows tells about a monitor, as a `Monitor`. The calls themselves need Windows."""

from __future__ import annotations

import pytest

from fingerpost.engine.capture.windows import Windows, _MonitorInfo, _Rect, monitor_of
from fingerpost.engine.geometry import Monitor
from fingerpost.engine.values import Box


@pytest.mark.parametrize(("dpi", "scale"), [(96, 1.0), (120, 1.25), (144, 1.5), (192, 2.0), (0, 1.0)])
def test_each_monitor_has_the_scale_of_its_own_dpi(dpi: int, scale: float) -> None:
    info = _MonitorInfo(rcMonitor=_Rect(-2560, -200, 0, 1240), dwFlags=1, szDevice="\\\\.\\DISPLAY2")
    assert monitor_of(2, info, dpi) == Monitor(2, "DISPLAY2", Box(-2560, -200, 2560, 1440), scale, primary=True)


def test_a_monitor_without_a_name_has_its_number_and_need_not_be_the_primary_one() -> None:
    info = _MonitorInfo(rcMonitor=_Rect(0, 0, 800, 600))
    assert monitor_of(3, info, 96) == Monitor(3, "Monitor 3", Box(0, 0, 800, 600))


def test_elsewhere_it_says_that_this_is_not_windows() -> None:
    assert Windows().problem() == "this is not Windows"
