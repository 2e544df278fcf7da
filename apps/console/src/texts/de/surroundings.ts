import type { en } from '../en/surroundings.js';

export const de: typeof en = {
  title: 'War es nur dieser Anruf?',
  only: 'Ja: Andere Anrufe wie dieser hatten nicht mehr Probleme als sonst.',
  other: (names) => `Nein: mehr Probleme als sonst mit ${names}.`,
  unclear: 'Nicht klar: Es gab zu wenige andere Anrufe wie diesen.',
  table: 'Anrufe um diesen herum',
  callsWith: 'Anrufe mit',
  hour: 'In derselben Stunde',
  usually: 'In den sieben Tagen davor',
  named: (dimension, value) => `${dimension} ${value}`,
  noCalls: 'keine Anrufe',
  counts: {
    bad: (bad, calls, share) => `${bad} von ${calls} schlecht (${share})`,
    failed: (bad, calls, share) => `${bad} von ${calls} fehlgeschlagen (${share})`,
    noAudio: (bad, calls, share) => `${bad} von ${calls} ohne Ton (${share})`,
  },
};
