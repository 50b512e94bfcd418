/** The oracle of a timeline: one cell a day, by no rule of intervals. */
export const DAYS = 12;
export type Command =
  | { readonly kind: 'change'; readonly from: number; readonly until: number | null }
  | { readonly kind: 'correction'; readonly at: number }
  | { readonly kind: 'delete'; readonly cause: 'change' | 'prune'; readonly at: number };

/**
 * One cell a day, written by the last who speaks of that day; `span` tells neighbouring intervals
 * apart.
 */
type Cell = { readonly value: string; readonly span: number } | undefined;
export class DayByDay {
  readonly cells: Cell[] = new Array<Cell>(3 * DAYS).fill(undefined);
  #spans = 0;

  run(command: Command, index: number): void {
    const value = `v${index + 1}`;
    if (command.kind === 'change') {
      this.#write(command.from, command.until ?? this.#nextStart(command.from), value);
    } else if (command.kind === 'correction') {
      const span = this.cells[command.at]?.span;
      if (span !== undefined)
        this.cells.forEach(
          (cell, n) => cell?.span === span && this.cells.splice(n, 1, { value, span }),
        );
    } else {
      this.cells.fill(undefined, command.cause === 'change' ? command.at : 0);
    }
  }

  /** What was made of a forgotten source is nowhere; what it had cut short stays as it was cut. */
  withdraw(value: string): void {
    this.cells.forEach((cell, n) => cell?.value === value && this.cells.splice(n, 1, undefined));
  }

  #write(from: number, until: number, value: string): void {
    const cutSpan = this.cells[from]?.span;
    const tailSpan = (this.#spans += 1);
    for (
      let n = until;
      n < this.cells.length && this.cells[n] !== undefined && this.cells[n]?.span === cutSpan;
      n += 1
    ) {
      this.cells[n] = { value: this.cells[n]?.value ?? '', span: tailSpan };
    }
    const span = (this.#spans += 1);
    for (let n = from; n < until; n += 1) this.cells[n] = { value, span };
  }

  #nextStart(from: number): number {
    for (let n = from + 1; n < this.cells.length; n += 1) {
      const cell = this.cells[n];
      if (cell && cell.span !== this.cells[n - 1]?.span) return n;
    }
    return this.cells.length;
  }
}
