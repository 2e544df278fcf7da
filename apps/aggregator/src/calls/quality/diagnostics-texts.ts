/** Texts for ids of diagnostics, for operators: senders often write only the id, or a text for developers. */
export interface DiagnosticsTexts {
  readonly ids: ReadonlyMap<number, string>;
  /** For all other ids from `first` to `last`; none overlap. */
  readonly ranges: readonly DiagnosticsRange[];
}

export interface DiagnosticsRange {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** Ids that were observed, and the parts of a system that the thousands stand for (docs/records.md). */
export const defaultDiagnosticsTexts: DiagnosticsTexts = {
  ids: new Map([
    [2, 'See the SIP status and its phrase'],
    [2_019, 'Error reporting is not available'],
    [7_035, 'The conference is ending'],
    [10_014, 'The mediation server failed'],
    [11_007, 'Quality reporting is not enabled'],
    [36_000, 'Call of a test client'],
    [36_002, 'Call of a test client'],
    [51_004, 'A user ended or rejected the call'],
  ]),
  ranges: [
    range(0, 999, 'General'),
    range(1_000, 1_999, 'SIP routing'),
    range(2_000, 2_999, 'Presence'),
    range(3_000, 3_999, 'Conferencing'),
    range(4_000, 4_999, 'Conferencing with messages'),
    range(6_000, 6_999, 'Conferencing with messages'),
    range(7_000, 7_999, 'Conferencing with audio and video'),
    range(8_000, 8_999, 'Telephony'),
    range(10_000, 10_999, 'Mediation server or gateway'),
    range(11_000, 11_999, 'Quality reporting'),
    range(12_000, 13_999, 'Call routing'),
    range(14_000, 14_999, 'Translation of numbers'),
    range(15_000, 15_999, 'Voice mail'),
    range(50_000, 59_999, 'Client'),
  ],
};

export function diagnosticsMeaning(code: number | undefined, { ids, ranges }: DiagnosticsTexts): string | undefined {
  if (code === undefined) return undefined;
  return ids.get(code) ?? ranges.find(({ first, last }) => code >= first && code <= last)?.text;
}

function range(first: number, last: number, text: string): DiagnosticsRange {
  return { first, last, text };
}
