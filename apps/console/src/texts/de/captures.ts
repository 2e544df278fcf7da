import type { en } from '../en/captures.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  feeds: 'Feeds',
  allFeeds: 'Alle Feeds',
  upload: 'Mitschnitt hochladen',
  formats:
    'Eine pcap- oder pcapng-Datei mit SIP, auch mit gzip oder zstd komprimiert. Ihre Anrufe erscheinen unter einem eigenen Frontend und zählen nicht in Statistiken.',
  file: 'Mitschnittdatei',
  needsReveal: 'Mitschnitte hochladen dürfen nur Personen mit der Rolle „reveal“.',
  frontEnd: 'Name des Frontends',
  frontEndRule: 'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche; zuerst ein Buchstabe oder eine Ziffer',
  frontEndExample: 'Das Ende seines Namens',
  send: 'Hochladen',
  cancel: 'Abbrechen',
  sent: 'Gesendet',
  emptyFile: 'Die Datei ist leer.',
  connectionLost:
    'Die Verbindung ist beim Hochladen abgebrochen. Es wurden keine Daten verarbeitet; laden Sie die Datei erneut hoch.',
  cancelled: 'Hochladen abgebrochen. Es wurden keine Daten verarbeitet.',

  captures: 'Mitschnitte',
  captureCount: (count) => plural(count, { one: '# Mitschnitt', other: '# Mitschnitte' }),
  noCaptures: 'Keine Mitschnitte in den letzten sieben Tagen.',
  captureOf: (frontEnd) => `Mitschnitt von ${frontEnd}`,
  stop: 'Anhalten',
  confirmStop: 'Nicht weiterlesen',
  remove: 'Entfernen',
  confirmRemove: 'Entfernen (Anrufe bleiben)',
  failed: (reason) => `Fehlgeschlagen: ${reason}`,
  read: 'Gelesen',
  reading: (packets, records) => `Wird gelesen: ${packets}, ${records}`,
  done: (packets, records, calls) => `Gelesen: ${packets}, ${records}, ${calls}`,
  packets: (count) => plural(count, { one: '# Paket', other: '# Pakete' }),
  records: (count) => plural(count, { one: '# Datensatz', other: '# Datensätze' }),
  calls: (count) => plural(count, { one: '# Anruf', other: '# Anrufe' }),
  uncountedReports: (reasons) => `Qualitätsberichte, die für keinen Stream zählen: ${reasons}`,
  unplacedMessages: (reasons) => `SIP-Nachrichten, die zu keinem Anruf passen: ${reasons}`,
  uncountedRtp: (reasons) => `RTP-Pakete, die für keinen Anruf zählen: ${reasons}`,
  failedRequests: (count) =>
    plural(count, {
      one: '# Anfrage außerhalb von Anrufen fehlgeschlagen',
      other: '# Anfragen außerhalb von Anrufen fehlgeschlagen',
    }),
  failedRequest: (count, request, status, peer) => `${count} × ${request} ${status}, ${peer}`,
  requestWithoutResponse: (count, request, peer) => `${count} × ${request} ohne Antwort, ${peer}`,
  allCallsOf: (frontEnd) => `Alle Anrufe von ${frontEnd}`,
  firstOfCapture: (allCalls, count) => `${allCalls}; die ersten ${count} dieses Mitschnitts:`,
  notShown: (count) =>
    plural(count, {
      one: '# Anruf nicht angezeigt: Die Version der Datensätze kann ihn nicht darstellen.',
      other: '# Anrufe nicht angezeigt: Die Version der Datensätze kann sie nicht darstellen.',
    }),
};
