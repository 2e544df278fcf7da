import type { en } from '../en/suspects.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  title: 'Was auffällt',
  about: 'was schlechte und fehlgeschlagene Anrufe gemeinsam haben, das Wahrscheinlichste zuerst',
  suspects: {
    bad: (value, bad, calls, others) => `${value}: ${bad} von ${calls} Anrufen schlecht, sonst ${others}`,
    failed: (value, bad, calls, others) => `${value}: ${bad} von ${calls} Anrufen fehlgeschlagen, sonst ${others}`,
    refused: (value, bad, calls, others) => `${value}: hat ${bad} von ${calls} Anrufen abgelehnt, sonst ${others}`,
    noAudio: (value, bad, calls, others) => `${value}: ${bad} von ${calls} Anrufen ohne Ton, sonst ${others}`,
  },
  counted: {
    bad: (value, bad, calls) => `${value} (${bad} von ${calls} Anrufen schlecht)`,
    failed: (value, bad, calls) => `${value} (${bad} von ${calls} Anrufen fehlgeschlagen)`,
    refused: (value, bad, calls) => `${value} (hat ${bad} von ${calls} Anrufen abgelehnt)`,
    noAudio: (value, bad, calls) => `${value} (${bad} von ${calls} Anrufen ohne Ton)`,
  },
  named: (dimension, value) => `${dimension} ${value}`,
  share: (share, low, high) => `${share}, mit 95 % Sicherheit zwischen ${low} und ${high}.`,
  causes: (causes) => `Ursachen: ${causes}.`,
  cause: (cause, calls) => `${cause} (${calls})`,
  most: (time, bad, calls) => `Die meisten ${time}: ${bad} von ${calls}.`,
  same: (values) => `Genau dieselben Anrufe haben ${values}: Nichts unterscheidet sie.`,
  explains: 'Fallen nur wegen dieser Anrufe auf:',
  onePerson: 'Eine Person ist an fast allen dieser Anrufe beteiligt: Der Wert ist von ihr nicht zu unterscheiden.',
  showAll: (count) => plural(count, { one: '# weiteren anzeigen', other: '# weitere anzeigen' }),
  sampled: (every) =>
    plural(every, {
      one: 'Alle Anrufe wurden gezählt.',
      other:
        'Es sind viele Anrufe, darum wurde einer von # gezählt: Die Zahlen gelten für diese, die Links öffnen alle.',
    }),
  nothing: 'Nichts fällt auf.',
  nothingAdvice: (comparisons) =>
    plural(comparisons, {
      one: 'Kein Wert hat weit mehr schlechte oder fehlgeschlagene Anrufe als die anderen, bei # Vergleich.',
      other: 'Kein Wert hat weit mehr schlechte oder fehlgeschlagene Anrufe als die anderen, bei # Vergleichen.',
    }),
  tooFew: 'Es sind zu wenige Anrufe für einen Vergleich: Ein Wert braucht mindestens 20.',
  overall: (bad, failed, noAudio) => `Alle Anrufe: ${bad} schlecht, ${failed} fehlgeschlagen, ${noAudio} ohne Ton.`,
  usual: (bad, failed, noAudio) =>
    `In den sieben Tagen davor: ${bad} schlecht, ${failed} fehlgeschlagen, ${noAudio} ohne Ton.`,
  worse: 'Die Anrufe insgesamt sind schlechter als in den sieben Tagen davor.',
  unknownShare: '–',
};
