import type { en } from '../en/comparison.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  compare: 'Vergleichen',
  nothing: 'nichts',
  before: 'mit dem Zeitraum davor',
  overTime: 'Über die Zeit',
  weeks: (count) => plural(count, { one: '# Woche', other: '# Wochen' }),
  values: 'Eine Linie je Wert',
  lines: 'Linien',
  removeLine: (label) => `Linie ${label} entfernen`,
  add: 'Linie hinzufügen',
  addValue: 'Hinzufügen',
  noLines: 'In diesem Zeitraum gibt es keine Werte zum Vergleichen.',
  badStreams: 'Schlechte Streams',
  badOf: (share, streams) => `${share} von ${streams} Streams`,
  lineOf: (metric, line) => `${metric}, ${line}`,
  nothingKnown: 'nichts gemessen',
  more: {
    bad: (share, others) => `mehr schlechte als die anderen (${share}, sonst ${others})`,
    failed: (share, others) => `mehr fehlgeschlagene als die anderen (${share}, sonst ${others})`,
    above: (bound, share, others) => `mehr über ${bound} als die anderen (${share}, sonst ${others})`,
    atMost: (bound, share, others) => `mehr bis ${bound} als die anderen (${share}, sonst ${others})`,
  },
  fewer: {
    bad: (share, others) => `weniger schlechte als die anderen (${share}, sonst ${others})`,
    failed: (share, others) => `weniger fehlgeschlagene als die anderen (${share}, sonst ${others})`,
    above: (bound, share, others) => `weniger über ${bound} als die anderen (${share}, sonst ${others})`,
    atMost: (bound, share, others) => `weniger bis ${bound} als die anderen (${share}, sonst ${others})`,
  },
  marked:
    'Markiert (▲ mehr, ▼ weniger): was von allen anderen Linien zusammen um mehr als 3 Prozentpunkte und mehr als zufällig abweicht, mit 95 % Sicherheit für das ganze Diagramm. Beide Streams eines Anrufs zählen als einer.',
  value: (label, value) => `${label} ${value}`,
  cell: (label, value, time) => `${label}: ${value}, ${time}`,
};
