import { createTransport } from 'nodemailer';
import { getSystemErrorName } from 'node:util';
import type { EmailReceiver } from '../alert-receivers/receivers.js';
import type { AlertNotice } from './alert-notice.js';
import type { Delivery } from './post-json.js';

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
    await transport.sendMail({ ...messageOf(receiver, notice), signal: AbortSignal.timeout(timeoutMs) });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: mailReason(error) };
  } finally {
    transport.close();
  }
}

/** Its Message-ID is the same on every repeat; a resolved notice is a reply to that of the beginning. */
function messageOf({ from, to }: EmailReceiver, notice: AlertNotice): object {
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

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refused the user or the password',
  EENVELOPE: 'the mail server refused the sender or the recipient',
  EMESSAGE: 'the mail server refused the message',
  ETLS: 'the mail server does not begin TLS',
  EPROTOCOL: 'the server does not speak SMTP',
};

/** Codes only: messages quote addresses and replies of the server. */
function mailReason(error: unknown): string {
  const { code, systemCode, responseCode } = codesOf(error);
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'no reply within the time limit';
  const isRefusal = code === 'EPROTOCOL' && responseCode !== undefined && responseCode >= 400;
  const known = isRefusal ? 'the mail server refused the connection' : REASONS[code];
  const reason = known ?? `the mail server cannot be reached: ${systemCode ?? code}`;
  return responseCode === undefined ? reason : `${reason} (${responseCode})`;
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
