import {
  diagnosticsValue,
  fitText,
  parseDiagnostics,
  withoutAbsent,
  type ErrorEvent,
  type Outcome,
  type VendorDiagnostics,
} from '@ringdown/xml-schemas';
import type { Parties } from '../media/agreed-media.js';
import type { SipHeaders } from '../sip/sip-headers.js';
import type { SipMessage } from '../sip/sip-message.js';
import { identity } from './party.js';

/** "See response code and reason phrase" (spec, "Errors"). */
const SEE_RESPONSE = 2;

/** RFC 3261, 21.4.25: the answer to an INVITE that was cancelled. */
export const REQUEST_TERMINATED = 487;

/** Busy, declined, unwanted, rejected (RFC 3261, 21.4.24 and 21.6; RFC 8197; RFC 8688). */
const CALLEES_REJECTIONS: ReadonlySet<number> = new Set([486, 600, 603, 607, 608]);

export function isCalleesRejection(status: number): boolean {
  return CALLEES_REJECTIONS.has(status);
}

/** The end of a call that was rejected, or cancelled if the message is a CANCEL. `cancelled`: the headers of the CANCEL. */
export function rejectionOf(
  message: SipMessage,
  { caller, callee }: Parties,
  source: string,
  cancelled: SipHeaders | undefined,
): ErrorEvent {
  const device = withoutAbsent({ ...identity(callee), id: message.to.tag });
  return { kind: 'error', endpoints: [identity(caller), device], ...outcomeOf(message, source, cancelled) };
}

/** The outcome of a request: the response, and its cause as far as `Reason` and vendor headers name it. */
function outcomeOf(message: SipMessage, source: string, cancelled?: SipHeaders): Outcome {
  const { status, phrase } = message.response ?? { status: REQUEST_TERMINATED, phrase: '' };
  const given = vendorsText(message.headers) ?? reasonText(message.headers, source) ?? reasonText(cancelled, source);
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
  const given = parseDiagnostics(`protocol=${headers.first('reason') ?? ''}`);
  const cause = Number(diagnosticsValue(given, 'cause'));
  return diagnosticsValue(given, 'protocol') === 'SIP' && cause >= 300 && cause !== REQUEST_TERMINATED;
}

/** Headers such as `ms-diagnostics` contain the text of the feed as it is: a number and items. */
function vendorsText(headers: SipHeaders): string | undefined {
  return headers.firstEnding('-diagnostics', (value) => /^\d{1,9}\s*;/.test(value));
}

/** RFC 3326: `Q.850;cause=17;text="User busy"`, several with commas between. The headers of Asterisk are similar. */
function reasonText(headers: SipHeaders | undefined, source: string): string | undefined {
  const reason = headers && (headers.first('reason') ?? asterisk(headers));
  if (reason === undefined || reason === '') return undefined;
  const given = parseDiagnostics(`protocol=${reason}`);
  const item = (key: string): string => quotable(diagnosticsValue(given, key) ?? '');
  const words = [
    ['reason', item('text') || item('cause')],
    ['source', source],
    ['protocol', item('protocol')],
    ['cause', item('cause')],
  ];
  const known = words.filter(([, value]) => value !== '');
  return [`${SEE_RESPONSE}`, ...known.map(([key, value]) => `${key}="${value}"`)].join(';');
}

function asterisk(headers: SipHeaders): string | undefined {
  const code = headers.first('x-asterisk-hangupcausecode');
  const cause = headers.first('x-asterisk-hangupcause') ?? '';
  return code === undefined ? undefined : `Q.850;cause=${code};text="${quotable(cause)}"`;
}

function quotable(text: string): string {
  return text.replaceAll(/["\\]/g, "'");
}

function parsed(text: string): VendorDiagnostics {
  return parseDiagnostics(fitText(text, 'diagnostics') ?? '');
}
