import type { ReactNode } from 'react';
import { formatTime, formatUtc } from './format.js';

/** A time in the viewer's zone, and in UTC on hover. Accepts milliseconds since 1970 or ISO 8601. */
export function Time({ at }: { readonly at: number | string | null | undefined }): ReactNode {
  if (at === null || at === undefined) return <span className="muted">–</span>;
  const moment = typeof at === 'string' ? Date.parse(at) : at;
  return (
    <time dateTime={new Date(moment).toISOString()} title={formatUtc(moment)}>
      {formatTime(moment)}
    </time>
  );
}
