import type { Problem, WrongParameter } from './answers.js';
import { texts } from '../texts/api.js';

/** A refused request in the language of the page; what has no code is in the words of the server. */
export function problemWords({ code, detail = '', parameters = [] }: Partial<Problem>): string {
  const [rule] = parameters.flatMap((parameter) => parameter.code ?? []);
  if (rule !== undefined && isIn(rule, texts.passwordProblems)) return texts.passwordProblems[rule];
  const wrong = parameters.map((parameter) => wrongWords(parameter)).join(', ');
  if (code === 'bad-parameter' && wrong !== '') return texts.badParameters(wrong, detail);
  if (code === undefined || code === 'bad-parameter') return texts.inWordsOfServer(detail);
  return texts.problems[code] ?? texts.inWordsOfServer(detail);
}

/** Its name, with the reason if that has a code which this page knows. `words`: of the language of the page by default. */
export function wrongWords({ name, code }: WrongParameter, words: typeof texts = texts): string {
  const isKnown = code !== undefined && isIn(code, words.parameterProblems);
  return isKnown ? words.wrongParameter(name, words.parameterProblems[code]) : name;
}

function isIn<T extends object>(key: PropertyKey, table: T): key is keyof T {
  return Object.hasOwn(table, key);
}
