/** The oracle of a timeline: one cell a day, by no rule of intervals. */
export const DAYS = 12;
export type Command =
  | { readonly kind: 'change'; readonly from: number; readonly until: number | null }
  | { readonly kind: 'correction'; readonly at: number }
  | { readonly kind: 'delete'; readonly cause: 'change' | 'prune'; readonly at: number };

/**
 * One cell a day, written by the last who speaks of that day; `span` tells neighbouring intervals
 * apart. `by` is the command that wrote it, `again` are those that said the same from that day on.
 */
type Cell =
  | {
      readonly value: string;
      readonly span: number;
      readonly by: number;
      readonly again: readonly number[];
    }
  | undefined;
export class DayByDay {
  readonly cells: Cell[] = new Array<Cell>(3 * DAYS).fill(undefined);
  #spans = 0;

  run(command: Command, index: number, value = `v${index + 1}`): void {
    if (command.kind === 'change') {
      const { from } = command;
      const until = command.until ?? this.#nextStart(from, value);
      const cell = this.cells[from];
      if (cell && this.#isSaid(value, from, until)) {
        // What ends says nothing of the time after that.
        const again = command.until === null ? [...cell.again, index] : cell.again;
        this.cells[from] = { ...cell, again };
      } else this.#write(from, until, { value, by: index });
    } else if (command.kind === 'correction') {
      const span = this.cells[command.at]?.span;
      if (span !== undefined)
        this.cells.forEach(
          (cell, n) =>
            cell?.span === span && this.cells.splice(n, 1, { value, span, by: index, again: [] }),
        );
    } else {
      this.cells.fill(undefined, command.cause === 'change' ? command.at : 0);
    }
  }

  /** What was made of a forgotten source is nowhere; what it had cut short stays as it was cut. */
  withdraw(by: number): void {
    for (const [n, cell] of this.cells.entries()) {
      if (!cell) continue;
      const again = cell.again.filter((each) => each !== by);
      this.cells[n] = cell.by === by ? undefined : { ...cell, again };
    }
  }

  /** Whether one interval says so of all those days. */
  #isSaid(value: string, from: number, until: number): boolean {
    const span = this.cells[from]?.span;
    return this.cells
      .slice(from, until)
      .every((cell) => cell !== undefined && cell.value === value && cell.span === span);
  }

  #write(from: number, until: number, by: { readonly value: string; readonly by: number }): void {
    const cutSpan = this.cells[from]?.span;
    const tailSpan = (this.#spans += 1);
    for (let n = until; n < this.cells.length; n += 1) {
      const cell = this.cells[n];
      if (cell === undefined || cell.span !== cutSpan) break;
      this.cells[n] = { ...cell, span: tailSpan };
    }
    const span = (this.#spans += 1);
    for (let n = from; n < until; n += 1) this.cells[n] = { ...by, span, again: [] };
  }

  #nextStart(from: number, value: string): number {
    for (let n = from + 1; n < this.cells.length; n += 1) {
      const cell = this.cells[n];
      if (!cell) continue;
      const isSaidAgain = cell.again.length > 0 && cell.value !== value;
      if (isSaidAgain || cell.span !== this.cells[n - 1]?.span) return n;
    }
    return this.cells.length;
  }
}
