"""Bindings for protocols that pywayland does not carry: the messages Fingerpost uses, and those before them.

A message's number is its place in its interface, so none may be left out in the middle. `Interface.request` and
`Interface.event` take the messages in this order. Signatures follow the published protocols.
"""
