import { createTransport } from 'nodemailer';
import { getSystemErrorName } from 'node:util';
import type { EmailReceiver } from '../../alert-receivers/receivers.js';
import type { AlertNotice } from './alert-notice.js';
import { TOO_LATE, type Delivery, type DeliveryFailure } from './post-json.js';

/** Sends one notice as one message. The whole exchange with the server has a time limit. Never rejects. */
export async function sendEmail(receiver: EmailReceiver, notice: AlertNotice, timeoutMs: number): Promise<Delivery> {
  const { host, port, tls, login, authorities } = receiver;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login && { auth: { user: login.user, pass: login.password } }),
    ...(authorities !== undefined && { tls: { ca: authorities } }),
    socketCloseTimeout: 0,
  });
  try {
    await transport.sendMail({ ...alertEmail(receiver, notice), signal: AbortSignal.timeout(timeoutMs) });
    return { ok: true };
  } catch (error) {
    return mailFailure(error);
  } finally {
    transport.close();
  }
}

/** Its Message-ID is the same on every repeat; a resolved notice is a reply to that of the beginning. */
function alertEmail({ from, to }: EmailReceiver, notice: AlertNotice): object {
  const { id, alertId, state, rule, summary, link, startsAt, endsAt } = notice;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const lines = [
    summary,
    '',
    `State: ${state}`,
    `Rule: ${rule.name} (${rule.severity})`,
    `Began: ${startsAt}`,
    ...(endsAt === null ? [] : [`Ended: ${endsAt}`]),
    '',
    link,
    '',
  ];
  return {
    from: { name: 'Ringdown', address: from },
    to: { name: '', address: to },
    subject: inOneLine(`[${state === 'firing' ? rule.severity : state}] ${rule.name}`),
    text: lines.join('\n'),
    messageId: `<${id}@${domain}>`,
    ...(state === 'resolved' && { inReplyTo: `<${alertId}-firing@${domain}>` }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Ringdown-Notice': id,
      'Ringdown-State': state,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A line break would end the header. */
function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

interface MailRefusal {
  readonly code: DeliveryFailure['code'];
  readonly reason: string;
}

const REFUSALS: Readonly<Record<string, MailRefusal>> = {
  EAUTH: { code: 'mail-sign-in', reason: 'the mail server refused the user or the password' },
  EENVELOPE: { code: 'mail-address', reason: 'the mail server refused the sender or the recipient' },
  EMESSAGE: { code: 'mail-message', reason: 'the mail server refused the message' },
  ETLS: { code: 'mail-tls', reason: 'the mail server does not begin TLS' },
  EPROTOCOL: { code: 'mail-protocol', reason: 'the server does not speak SMTP' },
};
const CONNECTION_REFUSED: MailRefusal = { code: 'mail-refused', reason: 'the mail server refused the connection' };

/** Codes only: messages quote addresses and replies of the server. */
function mailFailure(error: unknown): Delivery {
  const { code, systemCode, responseCode } = codesOf(error);
  if (code === 'EABORT' || code === 'ETIMEDOUT') return TOO_LATE;
  const isRefusal = code === 'EPROTOCOL' && responseCode !== undefined && responseCode >= 400;
  const known = isRefusal ? CONNECTION_REFUSED : REFUSALS[code];
  const network = systemCode ?? code;
  const reason = known?.reason ?? `the mail server cannot be reached: ${network}`;
  const response = responseCode === undefined ? null : String(responseCode);
  const failure =
    known === undefined ? { code: 'unreachable' as const, detail: network } : { code: known.code, detail: response };
  return { ok: false, reason: response === null ? reason : `${reason} (${response})`, failure };
}

interface MailCodes {
  readonly code: string;
  /** nodemailer replaces the `code` of a socket by its own ESOCKET, but not the number. */
  readonly systemCode: string | undefined;
  readonly responseCode: number | undefined;
}

/** What errors of nodemailer and of sockets have. */
function codesOf(error: unknown): MailCodes {
  const { code, errno, responseCode }: { code?: unknown; errno?: unknown; responseCode?: unknown } = Object(error);
  return {
    code: typeof code === 'string' ? code : 'unknown error',
    systemCode: typeof errno === 'number' ? getSystemErrorName(errno) : undefined,
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  };
}
