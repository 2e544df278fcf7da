/** Where notices are sent. Rules name them. */
export type AlertReceiver = WebhookReceiver | AlertmanagerReceiver | EmailReceiver;

export interface WebhookReceiver {
  readonly kind: 'webhook';
  readonly name: string;
  readonly url: URL;
  /** Key of the signature. */
  readonly secret: string;
}

export interface AlertmanagerReceiver {
  readonly kind: 'alertmanager';
  readonly name: string;
  /** Without `/api/v2/alerts`. */
  readonly url: URL;
}

export interface EmailReceiver {
  readonly kind: 'email';
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** `starttls`: nothing is sent without it; `implicit`: TLS from the first byte. */
  readonly tls: MailTls;
  /** Undefined: without authentication. */
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** One addr-spec of RFC 5322. */
  readonly from: string;
  /** One addr-spec: a message that only some recipients accept would be neither delivered nor failed. */
  readonly to: string;
  /** PEM of the authorities that the certificate of the server is checked against; undefined: those of Node.js. */
  readonly authorities: string | undefined;
}

export type MailTls = 'starttls' | 'implicit' | 'none';
