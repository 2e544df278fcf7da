import type { Capture } from '../api/answers.js';
import { formatNumber } from '../parts/format.js';
import { texts as ofPage } from '../texts/captures.js';

type Texts = typeof ofPage;

/** Why a capture failed, in the language of the page; a code that it does not know is in the words of the server. */
export function failureWords({ code, reason }: Pick<Capture, 'code' | 'reason'>, texts: Texts = ofPage): string {
  const said = reason ?? '';
  if (code !== null && isIn(code, texts.failures)) return texts.failureWithDetail(texts.failures[code], said);
  return said;
}

/** How often each reason occurred: `2 unknown call, 1 cut`. */
export function reasonCounts(counts: Readonly<Record<string, number>>, texts: Texts = ofPage): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${formatNumber(count)} ${isIn(reason, texts.reasons) ? texts.reasons[reason] : reason}`)
    .join(', ');
}

/** What could not be read, each kind once: words that differ only in the server's detail may be the same in the page's. */
export function unreadWords(unread: Capture['unread'], texts: Texts = ofPage): readonly string[] {
  const counts = new Map<string, number>();
  for (const { code, reason, count } of unread) {
    const words = failureWords({ code, reason }, texts);
    counts.set(words, (counts.get(words) ?? 0) + count);
  }
  return [...counts].map(([words, count]) => (count > 0 ? `${texts.packets(count)}: ${words}` : words));
}

/** Keys come from a server: they must not match inherited properties. */
function isIn<T extends object>(key: PropertyKey, table: T): key is keyof T {
  return Object.hasOwn(table, key);
}
