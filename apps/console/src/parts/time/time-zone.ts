import { useSyncExternalStore } from 'react';

/** The zone in which times are shown and entered. */
export type TimeZone = 'local' | 'UTC';

const KEY = 'ringdown.timeZone';
const listeners = new Set<() => void>();
let current: TimeZone = 'local';

export function timeZone(): TimeZone {
  return current;
}

export function storedTimeZone(storage: Pick<Storage, 'getItem'>): TimeZone {
  return storage.getItem(KEY) === 'UTC' ? 'UTC' : 'local';
}

export function storeTimeZone(storage: Pick<Storage, 'setItem' | 'removeItem'>, zone: TimeZone): void {
  if (zone === 'local') storage.removeItem(KEY);
  else storage.setItem(KEY, zone);
}

export function applyTimeZone(zone: TimeZone): void {
  if (zone === current) return;
  current = zone;
  for (const listener of listeners) listener();
}

/** Applies the stored zone, also when another tab changes it. */
export function followTimeZone(): void {
  applyTimeZone(storedTimeZone(localStorage));
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) applyTimeZone(storedTimeZone(localStorage));
  });
}

export function useTimeZone(): TimeZone {
  return useSyncExternalStore(subscribe, timeZone);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A date whose fields in UTC are those of the clock in the zone that is shown. */
export function wallClock(at: number): Date {
  return new Date(current === 'UTC' ? at : at - new Date(at).getTimezoneOffset() * 60_000);
}

/** `2026-11-21T12:00:00`, for an input of type datetime-local; empty if it is not a time. */
export function dateTimeInputValue(at: number): string {
  return Number.isNaN(at) ? '' : wallClock(at).toISOString().slice(0, 19);
}

/** The time that was entered in an input of type datetime-local; NaN if it is not a time. */
export function enteredTime(text: string): number {
  return Date.parse(current === 'UTC' && !text.endsWith('Z') ? `${text}Z` : text);
}
