/** Where notices are sent. Rules name them. */
export type AlertReceiver = WebhookReceiver | AlertmanagerReceiver;

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
