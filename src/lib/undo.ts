/** What was started, and how to stop it again: the last first. */
export class UndoStack {
  readonly #undo: (() => void | Promise<void>)[] = [];

  push(undo: () => void | Promise<void>): void {
    this.#undo.push(undo);
  }

  /** Stops everything, also when a part fails to. May be called again. @throws the first failure, at the end. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) {
      try {
        await undo();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
