import type { Problem } from './answers.js';
import { texts } from '../texts/api.js';

/** A refused request in the language of the page; what has no code is in the words of the server. */
export function problemWords({ code, detail = '', parameters = [] }: Partial<Problem>): string {
  const [reason] = parameters.flatMap((parameter) => parameter.code ?? []);
  if (reason !== undefined) return texts.passwordProblems[reason] ?? detail;
  const names = parameters.map(({ name }) => name).join(', ');
  if (code === 'bad-parameter' && names !== '') return texts.badParameters(names, detail);
  if (code === undefined || code === 'bad-parameter') return texts.inWordsOfServer(detail);
  return texts.problems[code] ?? texts.inWordsOfServer(detail);
}
