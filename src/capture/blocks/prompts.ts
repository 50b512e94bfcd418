/** A session of a shell or an interpreter: what follows a prompt, and what was printed below it. */
import { isCodeLine } from './code.ts';
import { paragraphEnd } from './delimited.ts';
import { type Line, MOST_OF_LINE, textAt } from './lines.ts';

const PROMPTS: readonly RegExp[] = [
  /^(?:In|Out) ?\[\d{0,5}\]: ?/,
  /^(?:irb|pry|iex|scala|ghci|julia|mysql|sqlite|node|jshell|redis|mongo|test|ipdb|pdb|gdb|lldb|sml|ocaml|php)(?:\([^)\n]{0,60}\))?(?::\d{1,6}){0,2}(?::\d)?[>*] /i,
  /^(?:Prelude|ghci|user|mydb|postgres|psql|[a-z_]\w{0,30})(?:=[#>]|-[#>]|> (?=[:(]))/,
  /^\((?:Pdb|gdb|lldb|ipdb)\) /i,
  /^PS [A-Z]:[^>\n]{0,120}> ?/,
  /^[A-Z]:\\[^>\n]{0,120}> ?/,
  /^[\w.-]{1,40}@[\w.-]{1,60}[: ][^$#%\n]{0,120}[$#%] /,
  /^[$❯➜»] (?=[a-z./~])/,
];
/** Three of these quote a mail as well. */
const PYTHON = /^>>> ?/;
const EXPRESSION = /^(?:import|from|for|while|print|del) |^[\w.]+$|[=([]/;

const isPrompt = (text: string): boolean => {
  const bare = text.trimStart().slice(0, MOST_OF_LINE);
  if (PROMPTS.some((prompt) => prompt.test(bare))) return true;
  const typed = PYTHON.test(bare) ? bare.replace(PYTHON, '').trim() : '';
  return typed !== '' && (EXPRESSION.test(typed) || isCodeLine(typed));
};

/** Lines of a session that begins there, or 0. */
export const sessionAt = (lines: readonly Line[], at: number): number =>
  isPrompt(textAt(lines, at)) ? paragraphEnd(lines, at) - at : 0;
