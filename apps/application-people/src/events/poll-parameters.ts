import { LastValue, LeftOutIf, ReadText, stacked } from '@ringdown/web-server/input';
import { InstanceQuery } from '../http/parameter-fields.js';
import type { PollSettings } from './channel.js';

/** A whole number; the last value of a repeated parameter counts, because clients append parameters to links. */
function PollNumber(least = -Infinity, most = Infinity): PropertyDecorator {
  return stacked(
    LastValue(),
    LeftOutIf((text) => text.trim() === ''),
    ReadText('a whole number', (text) => {
      const digits = text.trim();
      return /^-?\d{1,15}$/.test(digits) ? Math.min(most, Math.max(least, Number(digits))) : undefined;
    }),
  );
}

/**
 * `?ack=&low=&medium=&timeout=&priority=` (web-interface.md, section 7). A value outside its range becomes the nearest
 * one inside: clients request 90 seconds and still expect events.
 */
export class PollQuery extends InstanceQuery {
  /** Number of the requested package. */
  @PollNumber()
  readonly ack?: number;

  @PollNumber(5, 1_800)
  readonly low?: number;

  @PollNumber(5, 1_800)
  readonly medium?: number;

  @PollNumber(180, 1_800)
  readonly timeout?: number;

  @PollNumber(0, 1_000_000)
  readonly priority?: number;
}

/** The settings that the client has sent. */
export function pollSettings({ low, medium, timeout, priority }: PollQuery): Partial<PollSettings> {
  const settings = { low, medium, timeout, priority };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
