"""What commands can ask a window for: the interface between the table of commands and it."""

from typing import Protocol


class Deeds(Protocol):
    """What the commands can ask for; the main window does it."""

    def ask_open(self) -> None:
        """Let the user choose a scenario file and open it."""

    def ask_open_adapter(self) -> None:
        """Let the user choose a checkpoint that is trained on the frozen present model."""

    def reopen_session(self) -> None:
        """Go on with another session that has unsaved work."""

    def open_example(self, name: str) -> None:
        """Open an example as a new plan, which has no file yet."""

    def open_file(self, path: str) -> None:
        """Open whatever is at ``path``."""

    def show_view(self, name: str) -> None:
        """Bring the view ``name`` to the front."""

    def export_engine(self, form: str) -> None:
        """Write the scenario as an engine's config: "deepspeed", "accelerate" or "pytorch"."""

    def browse_models(self) -> None:
        """Show the searchable list of models."""

    def ask_train_only(self) -> None:
        """Ask what stays trainable."""

    def save(self) -> None:
        """Save to the scenario's file, or ask for one."""

    def ask_save_as(self) -> None:
        """Let the user choose where to save."""

    def undo(self) -> None:
        """Take the last step back."""

    def redo(self) -> None:
        """Take it again."""

    def copy_table(self) -> None:
        """Put the table on the clipboard."""

    def copy_selection(self) -> None:
        """Put the chosen cells on the clipboard."""

    def copy_arithmetic(self) -> None:
        """Put the line of arithmetic on the clipboard."""

    def show_unit(self, unit: str) -> None:
        """Show sizes in "GB" or "GiB"."""

    def toggle_exact(self) -> None:
        """Switch the table between the unit and whole bytes."""

    def use_theme(self, name: str) -> None:
        """Use theme "system", "light" or "dark"."""

    def toggle_hatching(self) -> None:
        """Hatch the states, or leave them plain."""

    def pin(self) -> None:
        """Keep the present plan for comparing."""

    def ask_save_comparison(self) -> None:
        """Let the user choose where to save the pins."""

    def copy_chart(self) -> None:
        """Put the chart on the clipboard as a picture."""

    def export_chart(self, suffix: str, scale: int = 1) -> None:
        """Write the chart as a picture."""

    def export_table(self, form: str) -> None:
        """Write the table."""

    def export_report(self) -> None:
        """Write the one-page report."""

    def present(self) -> None:
        """Enter or leave present mode."""

    def scale_text(self, steps: int) -> None:
        """Larger (1) or smaller (-1) text; 0 is the system's own size."""

    def show_help(self) -> None:
        """Show the help, offline."""

    def show_shortcuts(self) -> None:
        """Show the sheet of shortcuts."""

    def show_about(self) -> None:
        """Show versions."""

    def reset(self) -> None:
        """Back to the scenario of the first start."""

    def leave(self) -> None:
        """Close the window."""
