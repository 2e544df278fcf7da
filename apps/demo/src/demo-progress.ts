import { bar, counted, ProgressLine, type ProgressOutput } from '@ringdown/feed-client/command';

/** Notified of what the demo does. */
export interface DemoProgress {
  /** `calls`: how many are sent of the time since `from`; `isWhole`: that are all of that time. */
  filling(from: number, calls: number, isWhole: boolean): void;
  readonly filled: (sent: number, calls: number) => void;
  readonly live: (open: number, begun: number) => void;
  ended(): void;
  readonly onAway: () => void;
  readonly onBack: () => void;
  note(text: string): void;
}

const nothing = (): void => undefined;
export const noProgress: DemoProgress = {
  filling: nothing,
  filled: nothing,
  live: nothing,
  ended: nothing,
  onAway: nothing,
  onBack: nothing,
  note: nothing,
};

/** Lines for a person: one that is rewritten on a terminal, and one for each thing that happens. */
export class TextProgress implements DemoProgress {
  private readonly line: ProgressLine;
  private isLive = false;
  /** How far the back-fill is; empty at its end. */
  private past = '';

  constructor(private readonly out: ProgressOutput) {
    this.line = new ProgressLine(out);
  }

  filling(from: number, calls: number, isWhole: boolean): void {
    const since = new Date(from).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
    const missing = isWhole ? 'calls' : 'the missing calls';
    if (calls === 0) this.write('The calls of the demo until now are there already.');
    else this.write(`Sending ${missing} since ${since}, marked as back-fill.`);
  }

  readonly filled = (sent: number, calls: number): void => {
    if (sent === calls && calls > 0) this.write('All calls of the past are sent.');
    this.past = sent < calls ? `${bar(sent / calls)} ${sent} of ${calls} calls of the past` : '';
    if (!this.isLive) this.line.show(() => this.past);
  };

  readonly live = (open: number, begun: number): void => {
    if (!this.isLive) this.write('Calls begin and end now as in an office, until Ctrl-C: that ends them all.');
    this.isLive = true;
    const past = this.past === '' ? '' : `, ${this.past}`;
    this.line.show(() => `${counted(open, 'call')} in progress, ${begun} begun${past}`);
  };

  ended(): void {
    this.line.end();
  }

  readonly onAway = (): void => this.write('The collector does not answer; waiting for it.');

  readonly onBack = (): void => this.write('The collector answers again.');

  note(text: string): void {
    this.write(text);
  }

  private write(text: string): void {
    this.line.end();
    this.out.write(`${text}\n`);
  }
}
