import { de } from '../texts/de/captures.js';
import { en } from '../texts/en/captures.js';
import { failureWords, reasonCounts, unreadWords } from './capture-words.js';

const SLOW = { code: 'too-slow', reason: 'Reading took longer than 60 seconds (CAPTURE_SECONDS).' } as const;

describe('what operators read about a capture that failed', () => {
  it('is in German on a German page, and has the numbers of the server on an English one', () => {
    expect(failureWords(SLOW, de)).toBe('Das Lesen dauerte länger als erlaubt (CAPTURE_SECONDS).');
    expect(failureWords(SLOW, en)).toBe(SLOW.reason);
  });

  it('is in the words of the server without a code, and for a code that the page does not know', () => {
    expect(failureWords({ code: null, reason: 'odd' }, de)).toBe('odd');
    const later = { ...SLOW, code: 'toString' } as unknown as typeof SLOW; // oxlint-disable-line typescript/no-unsafe-type-assertion -- of a later server
    expect(failureWords(later, de)).toBe(SLOW.reason);
  });

  it('counts reasons in German, and a reason of a later server as it is', () => {
    expect(reasonCounts({ 'unknown call': 2, 'Call-ID used again': 1, odd: 3 }, de)).toBe(
      '2 zu keinem bekannten Anruf, 1 mit wiederverwendeter Call-ID, 3 odd',
    );
  });

  it('lists each kind of unread packets once', () => {
    const kinds = ['link type 147', 'link type 148'].map(
      (reason) => ({ code: 'unsupported-packets', count: 2, reason }) as const,
    );
    expect(unreadWords(kinds, de)).toEqual(['4 Pakete: Pakete dieser Art werden nicht gelesen.']);
    expect(unreadWords(kinds, en)).toEqual(['2 packets: link type 147', '2 packets: link type 148']);
    expect(unreadWords([{ code: 'not-a-capture', count: 0, reason: 'no pcap' }], de)).toEqual([
      'Die Datei ist kein Mitschnitt (pcap oder pcapng).',
    ]);
  });
});
