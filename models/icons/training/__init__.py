"""Makes the icon model: reads icon sets, draws them as screens would, trains, evaluates, exports. Needs torch."""
