import type { AlertmanagerReceiver, AlertReceiver } from '../../alert-receivers/receivers.js';

/** The receivers of ALERT_RECEIVERS, by name. */
export class AlertReceivers {
  private readonly byName: ReadonlyMap<string, AlertReceiver>;

  constructor(receivers: readonly AlertReceiver[]) {
    this.byName = new Map(receivers.map((receiver) => [receiver.name, receiver]));
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** What operators may know of them. */
  get shown(): readonly Pick<AlertReceiver, 'name' | 'kind'>[] {
    return [...this.byName.values()].map(({ name, kind }) => ({ name, kind }));
  }

  get alertmanagers(): readonly AlertmanagerReceiver[] {
    return [...this.byName.values()].filter((receiver) => receiver.kind === 'alertmanager');
  }

  find(name: string): AlertReceiver | undefined {
    return this.byName.get(name);
  }
}
