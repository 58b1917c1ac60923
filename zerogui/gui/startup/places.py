"""Where this user's settings and what is kept between starts lie; needs no Qt."""

import os


def settings_file() -> str:
    """Where this user's settings are kept."""
    from platformdirs import user_config_dir

    return os.path.join(user_config_dir("zerogui", appauthor=False), "settings.json")


def state_folder() -> str:
    """Where this user's sessions and the crash log are kept."""
    from platformdirs import user_state_dir

    return user_state_dir("zerogui", appauthor=False)


def crash_log() -> str:
    """What is written where the program ends unexpectedly."""
    return os.path.join(state_folder(), "crash.log")
