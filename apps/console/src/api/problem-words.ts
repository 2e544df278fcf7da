import type { Problem } from './answers.js';
import { texts } from '../texts/api.js';

/** A refused request in the language of the page. What only the server can name, such as a parameter, is in its words. */
export function problemWords({ code, detail = '', parameters = [] }: Partial<Problem>): string {
  const [reason] = parameters.flatMap((parameter) => parameter.code ?? []);
  if (reason !== undefined) return texts.passwordProblems[reason] ?? detail;
  if (code === undefined || code === 'bad-parameter') return texts.inWordsOfServer(detail);
  return texts.problems[code] ?? texts.inWordsOfServer(detail);
}
