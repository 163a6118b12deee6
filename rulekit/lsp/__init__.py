"""The language server: what a rule file means, told to editors.

`index` knows which name means what at which place, `analysis` looks at one file, `desk` at all open ones;
each kind of request has a module of its own; `server` speaks the protocol.
"""
