/** Tokens drawn by an expression, every character as likely as another, and the same at every run. */
import { numbersFrom } from './scope-file-mutations.ts';

type Draw = (below: number) => number;

const SEED = 20_261_128;
/** A run without an end is drawn up to so many characters longer than it must be. */
const MOST_MORE = 12;
const LARGE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const WORD = `${LARGE}${LARGE.toLowerCase()}${DIGITS}_`;
const CLASSES: Readonly<Record<string, string>> = { d: DIGITS, w: WORD, s: ' ' };

/** It knows what the rules of tokens are written in; anything else it refuses. */
export function tokensOf({ source }: RegExp, count: number): readonly string[] {
  const draw = numbersFrom(SEED);
  return Array.from({ length: count }, () => {
    const reader = new Reader(source, draw);
    const token = reader.either();
    if (!reader.isDone()) throw new Error(`Not read to its end: ${source}`);
    return token;
  });
}

/** Draws while it reads: what is repeated is read as often. */
class Reader {
  readonly #source: string;
  readonly #draw: Draw;
  #at = 0;

  constructor(source: string, draw: Draw) {
    this.#source = source;
    this.#draw = draw;
  }

  isDone(): boolean {
    return this.#at === this.#source.length;
  }

  either(): string {
    const made = [this.#sequence()];
    while (this.#takes('|')) made.push(this.#sequence());
    return made[this.#draw(made.length)] ?? '';
  }

  #sequence(): string {
    let made = '';
    while (!this.isDone() && !'|)'.includes(this.#next())) made += this.#repeated();
    return made;
  }

  #repeated(): string {
    const start = this.#at;
    const first = this.#atom();
    const end = this.#at;
    const [least, most] = this.#bounds();
    const after = this.#at;
    const times = least + this.#draw(most - least + 1);
    let made = times > 0 ? first : '';
    for (let time = 1; time < times; time += 1) {
      this.#at = start;
      made += this.#atom();
    }
    if (times > 1 && this.#at !== end) throw new Error('A repeated part was read otherwise.');
    this.#at = after;
    return made;
  }

  #bounds(): readonly [number, number] {
    if (this.#takes('?')) return [0, 1];
    if (this.#takes('*')) return [0, MOST_MORE];
    if (this.#takes('+')) return [1, MOST_MORE];
    const found = /^\{(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at));
    if (!found) return [1, 1];
    this.#at += found[0].length;
    const least = Number(found[1]);
    if (found[2] === '') return [least, least];
    const most = found[3] === '' ? least + MOST_MORE : Number(found[3]);
    return [least, Math.min(most, least + 40)];
  }

  #atom(): string {
    if (this.#takes('(')) return this.#group();
    const characters = this.#takes('[') ? this.#class() : this.#character();
    return characters.charAt(this.#draw(characters.length));
  }

  #group(): string {
    const isAround = /^\?<?[!=]/.test(this.#source.slice(this.#at));
    const opening = /^\?(?::|<?[!=]|<\w+>)/.exec(this.#source.slice(this.#at))?.[0] ?? '';
    this.#at += opening.length;
    const made = this.either();
    if (!this.#takes(')')) throw new Error(`A group has no end: ${this.#source}`);
    return isAround ? '' : made;
  }

  #class(): string {
    if (this.#next() === '^') throw new Error(`A class of what is not in it: ${this.#source}`);
    let characters = '';
    while (!this.#takes(']')) {
      const from = this.#character();
      if (from.length !== 1 || this.#next() !== '-' || this.#source[this.#at + 1] === ']') {
        characters += from;
        continue;
      }
      this.#at += 1;
      const last = this.#character().charCodeAt(0);
      for (let code = from.charCodeAt(0); code <= last; code += 1)
        characters += String.fromCharCode(code);
    }
    return characters;
  }

  /** One, or those of a class that has a letter; none where a place is meant. */
  #character(): string {
    if (!this.#takes('\\')) return this.#source.charAt(this.#at++);
    const escaped = this.#source.charAt(this.#at++);
    if (escaped === 'b') return '';
    // Only what looks around has it.
    if (escaped === 'p') this.#at = this.#source.indexOf('}', this.#at) + 1;
    return escaped === 'n' ? '\n' : (CLASSES[escaped] ?? escaped);
  }

  #next(): string {
    return this.#source.charAt(this.#at);
  }

  #takes(character: string): boolean {
    if (this.#next() !== character || this.isDone()) return false;
    this.#at += 1;
    return true;
  }
}
