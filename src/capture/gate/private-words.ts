/** Other words for the same private matter: who keeps one of them out of memory means them all. */
export const PRIVATE_WORDS: readonly (readonly string[])[] = [
  [
    'salary|wage|income|earnings|paycheck|payslip|my pay|our pay|his pay|her pay|their pay',
    'pay is|pay rise|pay raise|pay cut|get paid|got paid|are paid|am paid',
  ],
  ['divorce|separation|splitting up|split up|getting separated|separated from'],
  ['pregnancy|pregnant|expecting'],
].map((lines) => lines.join('|').split('|'));
