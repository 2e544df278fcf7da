import type { ReactNode } from 'react';
import { formatTime, formatUtc } from '../format.js';
import { useTimeZone } from './time-zone.js';

/** A time in the zone that is shown, and in UTC with milliseconds on hover. Accepts milliseconds since 1970 or ISO 8601. */
export function Time({ at }: { readonly at: number | string | null | undefined }): ReactNode {
  useTimeZone();
  if (at === null || at === undefined) return <span className="muted">–</span>;
  const moment = typeof at === 'string' ? Date.parse(at) : at;
  return (
    <time dateTime={new Date(moment).toISOString()} title={formatUtc(moment)}>
      {formatTime(moment)}
    </time>
  );
}
