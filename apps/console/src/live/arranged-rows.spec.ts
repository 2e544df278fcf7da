import type { CallState, Verdict } from '../api/answers.js';
import { arrangeRows, type LiveItem } from './arranged-rows.js';
import { compareRows, type CallRow } from '../parts/call-row.js';

function row(callId: string, beganAt: number, more: Partial<CallRow> = {}): CallRow {
  const state: CallState = 'active';
  const verdict: Verdict = 'good';
  const texts = { from: '', to: '', media: '', trouble: '' };
  const over = { endedAt: undefined, seconds: undefined };
  const base = { callId, beganAt, version: 1, state, verdict, ...texts, ...over };
  return { ...base, frontEnds: ['fe1'], sites: [], rank: 3, severity: 0, ...more };
}

const bad = { verdict: 'bad', rank: 0 } as const;
const ROWS = [
  row('new', 30),
  row('old', 10, { frontEnds: ['fe2', 'fe1'] }),
  row('bad', 20, { ...bad, severity: 2 }),
  row('worse', 5, { ...bad, severity: 8, frontEnds: [] }),
  row('over', 40, { ...bad, state: 'ended' }),
].toSorted(compareRows);

const lines = (items: readonly LiveItem[]): readonly string[] =>
  items.map((item) => (item.kind === 'title' ? `${item.title}: ${item.count}` : item.row.callId));

describe('the lines of the live list', () => {
  it('lists running calls by how bad they are, and calls that are over after them', () => {
    const expected = ['worse', 'bad', 'new', 'old', 'Ended recently: 1', 'over'];
    expect(lines(arrangeRows(ROWS, 'severity', 'none'))).toEqual(expected);
  });

  it('sorts by age when this is selected', () => {
    expect(lines(arrangeRows(ROWS, 'newest', 'none')).slice(0, 4)).toEqual(['new', 'bad', 'old', 'worse']);
    expect(lines(arrangeRows(ROWS, 'oldest', 'none')).slice(0, 4)).toEqual(['worse', 'old', 'bad', 'new']);
  });

  it('groups running calls by their first front end', () => {
    const [fe1, fe2] = [
      ['fe1: 2', 'bad', 'new'],
      ['fe2: 1', 'old'],
    ];
    const rest = ['Unknown front end: 1', 'worse', 'Ended recently: 1', 'over'];
    expect(lines(arrangeRows(ROWS, 'severity', 'frontEnd'))).toEqual([...fe1, ...fe2, ...rest]);
  });

  it('groups running calls by the site of the caller, or of the other party if that has none', () => {
    const rows = [row('both', 3, { sites: ['Oslo', 'Bonn'] }), row('one', 2, { sites: ['Bonn'] }), row('none', 1)];
    const expected = ['Bonn: 1', 'one', 'Oslo: 1', 'both', 'No site: 1', 'none'];
    expect(lines(arrangeRows(rows, 'severity', 'site'))).toEqual(expected);
  });

  it('groups by verdict, the worst first', () => {
    const titles = lines(arrangeRows(ROWS, 'severity', 'verdict')).filter((line) => line.includes(':'));
    expect(titles).toEqual(['bad: 2', 'good: 2', 'Ended recently: 1']);
  });

  it('has no lines without calls', () => {
    expect(arrangeRows([], 'severity', 'frontEnd')).toEqual([]);
  });
});
