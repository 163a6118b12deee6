"""`python -m rulekit` is the command line."""

from rulekit.cli.main import main

if __name__ == "__main__":
    main()
