import { createHmac } from 'node:crypto';
import type { AlertNotice } from './alert-notice.js';
import { sendEmail } from './send-email.js';
import { postJson, type Delivery } from './post-json.js';
import type { AlertmanagerReceiver, AlertReceiver, WebhookReceiver } from '../../alert-receivers/receivers.js';

export const SEND_TIMEOUT_MS = 10_000;
/** Servers may look at a message for long before they accept it; below the minute for which a notice is leased. */
const EMAIL_TIMEOUT_MS = 50_000;
/** Alertmanager resolves an alert that it is not reminded of for so long: see OpenAlertReminder. */
const OPEN_ALERT_MS = 600_000;
/** A test is shown for some minutes. */
const TEST_ALERT_MS = 300_000;

/** Sends one notice once. Never rejects. */
export function sendNotice(
  receiver: AlertReceiver,
  notice: AlertNotice,
  timeoutMs = receiver.kind === 'email' ? EMAIL_TIMEOUT_MS : SEND_TIMEOUT_MS,
): Promise<Delivery> {
  if (receiver.kind === 'webhook') return toWebhook(receiver, notice, timeoutMs);
  if (receiver.kind === 'email') return sendEmail(receiver, notice, timeoutMs);
  return sendToAlertmanager(receiver, [notice], timeoutMs);
}

function toWebhook({ url, secret }: WebhookReceiver, notice: AlertNotice, timeoutMs: number): Promise<Delivery> {
  const body = JSON.stringify(notice);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'ringdown-notice': notice.id,
    'ringdown-timestamp': timestamp,
    'ringdown-signature': `v1=${signatureOf(secret, timestamp, body)}`,
  };
  return postJson(url, body, { headers, timeoutMs });
}

/** HMAC-SHA256 over `<timestamp>.<body>`, in hexadecimal digits. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Alertmanager drops repeats by their labels. Never rejects. */
export function sendToAlertmanager(
  { url }: AlertmanagerReceiver,
  notices: readonly AlertNotice[],
  timeoutMs = SEND_TIMEOUT_MS,
): Promise<Delivery> {
  const target = new URL(url);
  target.pathname = `${url.pathname.replace(/\/$/, '')}/api/v2/alerts`;
  [target.username, target.password] = ['', ''];
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> =
    user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
  const alerts = notices.map((notice) => alertmanagerAlert(notice, Date.now()));
  return postJson(target, JSON.stringify(alerts), { headers, timeoutMs });
}

/** An alert of Alertmanager's API v2. Its labels are the same for all notices of an alert. */
function alertmanagerAlert({ rule, scope, state, ...notice }: AlertNotice, now: number): object {
  const end = now + (state === 'test' ? TEST_ALERT_MS : OPEN_ALERT_MS);
  return {
    labels: {
      ...scope,
      alertname: rule.name,
      severity: rule.severity,
      rule: rule.id,
      alert: notice.alertId,
      service: 'ringdown',
    },
    annotations: {
      summary: notice.summary,
      notice: notice.id,
      calls: String(notice.calls),
    },
    startsAt: notice.startsAt,
    endsAt: notice.endsAt ?? new Date(end).toISOString(),
    generatorURL: notice.link,
  };
}
