import { fitText } from '@ringdown/xml-schemas';
import { parseDiagnostics, withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { ErrorEvent, Outcome, VendorDiagnostics } from '@ringdown/xml-schemas/record';
import type { Parties } from '../media/agreed-media.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';
import { identity } from './party.js';
import { ANSWERED, isElsewhere, isSip, mainReason, reasonsIn } from './reason.js';

/** The code of an error whose reason is the response beside it. */
const SEE_RESPONSE = 2;

/** The text of RFC 3326, 3.1, which some leave out. */
const ELSEWHERE = 'Call completed elsewhere';

/** RFC 3261, 21.4.25: the answer to an INVITE that was cancelled. */
export const REQUEST_TERMINATED = 487;

/** Busy, declined, unwanted, rejected (RFC 3261, 21.4.24 and 21.6; RFC 8197; RFC 8688). */
const CALLEES_REJECTIONS: ReadonlySet<number> = new Set([486, 600, 603, 607, 608]);

export function isCalleesRejection(status: number): boolean {
  return CALLEES_REJECTIONS.has(status);
}

/** The end of a call that was rejected, or cancelled if the message is a CANCEL. `cancelled`: the headers of the CANCEL. */
export function rejectionEvent(
  message: SipMessage,
  { caller, callee }: Parties,
  source: string,
  cancelled: SipHeaders | undefined,
): ErrorEvent {
  const device = withoutAbsent({ ...identity(callee), id: message.to.tag });
  return { kind: 'error', endpoints: [identity(caller), device], ...requestOutcome(message, source, cancelled) };
}

/** The outcome of a request: the response, and its cause as far as `Reason` and vendor headers name it. */
function requestOutcome(message: SipMessage, source: string, cancelled?: SipHeaders): Outcome {
  const { status, phrase } = message.response ?? { status: REQUEST_TERMINATED, phrase: '' };
  const { headers } = message;
  const given = vendorsText(headers) ?? reasonText(headers, source, { status }) ?? reasonText(cancelled, source, {});
  const text = given ?? `${SEE_RESPONSE};reason="See response code and reason phrase";source="${source}"`;
  return {
    responseCode: withoutAbsent({ code: status, phrase: phrase === '' ? undefined : phrase }),
    diagnostics: parsed(text),
  };
}

/** Why a request was sent; undefined if it has no reason header. */
export function reasonInHeaders(headers: SipHeaders, source: string): VendorDiagnostics | undefined {
  const text = vendorsText(headers) ?? reasonText(headers, source);
  return text === undefined ? undefined : parsed(text);
}

/** Whether a CANCEL names a failure of its sender, such as a timeout: `Reason: SIP;cause=408`. */
export function isOwnFailure(headers: SipHeaders): boolean {
  return reasonsIn(headers).some(({ protocol, cause }) => {
    return isSip(protocol) && Number(cause) >= 300 && Number(cause) !== REQUEST_TERMINATED;
  });
}

/** Headers such as `ms-diagnostics` contain the text of the feed as it is: a number and items. */
function vendorsText(headers: SipHeaders): string | undefined {
  return headers.firstEnding('-diagnostics', (value) => /^\d{1,9}\s*;/.test(value));
}

/** `rejected`: of a call before its answer, with the status of the response, which its reasons may repeat. */
function reasonText(
  headers: SipHeaders | undefined,
  source: string,
  rejected?: { readonly status?: number },
): string | undefined {
  const reason = mainReason(reasonsIn(headers), rejected ? rejected.status : ANSWERED);
  if (!reason) return undefined;
  const words = [
    ['reason', reason.text || (rejected && isElsewhere(reason) ? ELSEWHERE : reason.cause)],
    ['source', source],
    ['protocol', reason.protocol],
    ['cause', reason.cause],
  ];
  const known = words.filter(([, value]) => value !== '');
  return [`${SEE_RESPONSE}`, ...known.map(([key, value = '']) => `${key}="${quotable(value)}"`)].join(';');
}

function quotable(text: string): string {
  return text.replaceAll(/["\\]/g, "'");
}

function parsed(text: string): VendorDiagnostics {
  return parseDiagnostics(fitText(text, 'diagnostics') ?? '');
}
