import type { Call, DiagnosticsOfCall } from '../api/answers.js';
import { visible } from '../parts/format.js';
import { explainError } from './explain-error.js';
import { texts } from '../texts/call.js';

/** Why a call did not end as its users wanted. */
export interface Ending {
  readonly level: 'bad' | 'poor';
  readonly title: string;
  /** One sentence for readers who do not know SIP. */
  readonly meaning: string | undefined;
  /** The server and trunk at which it failed. */
  readonly place: string | undefined;
  /** What servers and devices reported. */
  readonly diagnostics: readonly ReportedCause[];
}

export interface ReportedCause {
  readonly text: string;
  readonly meaning: string | undefined;
}

type Ended = Pick<Call, 'state' | 'end' | 'errors'>;

const NO_STATUS = { code: null, phrase: null };
const UNREPORTED: Ending = {
  level: 'poor',
  title: texts.noEnd,
  meaning: texts.noEndReason,
  place: undefined,
  diagnostics: [],
};

/** Undefined for a call that goes on, or ended without an error. */
export function callEnding({ state, end, errors }: Ended): Ending | undefined {
  if (state === 'expired') return UNREPORTED;
  if (state !== 'failed' && end?.reason !== 'error') return undefined;
  const { code, phrase } = end !== null && end.code !== null ? end : (errors.at(-1) ?? end ?? NO_STATUS);
  const status = [code, phrase].filter((part) => part !== null).join(' ');
  return {
    level: 'bad',
    title: endingTitle(state, visible(status)),
    meaning: explainError({ code }, end?.by),
    place: refusalWords(end?.refusedBy ?? null),
    diagnostics: reportedCauses(end?.diagnostics ?? []),
  };
}

function endingTitle(state: Call['state'], status: string): string {
  if (state === 'failed') return status === '' ? texts.failed : texts.failedWith(status);
  return status === '' ? texts.errorEnded : texts.errorEndedWith(status);
}

function refusalWords(refusal: NonNullable<Call['end']>['refusedBy']): string | undefined {
  const hop = visible(refusal?.hop ?? '');
  const trunk = visible(refusal?.trunk ?? '');
  if (hop !== '' && trunk !== '') return texts.refusedBy.both(hop, trunk);
  if (hop !== '') return texts.refusedBy.hop(hop);
  return trunk === '' ? undefined : texts.refusedBy.trunk(trunk);
}

/** Each cause once: servers repeat what others reported. */
export function reportedCauses(diagnostics: readonly DiagnosticsOfCall[]): readonly ReportedCause[] {
  const causes = diagnostics.map(({ kind, code, reason, source, text, meaning }) => {
    const number = code === null ? '' : ` (${code})`;
    const said = reason === null ? text : `${reason}${number}`;
    return { text: visible(texts.reports(source ?? texts.reporters[kind], said)), meaning };
  });
  return causes.filter(({ text }, index) => causes.findIndex((each) => each.text === text) === index);
}
