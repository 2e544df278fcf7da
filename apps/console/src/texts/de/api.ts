import type { en } from '../en/api.js';

export const de: typeof en = {
  notResponding: 'Der Server antwortet nicht.',
  respondedWith: (status) => `Der Server hat mit ${status} geantwortet.`,
  streamClosed: 'Der Server hat die Verbindung beendet.',
  inWordsOfServer: (detail) => `Der Server hat die Anfrage abgelehnt; seine Meldung auf Englisch: ${detail}`,
  badParameters: (wrong) => `Diese Angaben fehlen oder sind nicht möglich: ${wrong}.`,
  wrongParameter: (name, reason) => `${name} (${reason})`,
  parameterProblems: {
    unknown: 'hier nicht bekannt',
    missing: 'fehlt',
    repeated: 'mehrmals angegeben',
    choice: 'keiner der möglichen Werte',
    time: 'keine Zeit wie 2026-03-02T10:00:00Z',
    period: 'kein Zeitraum wie 90m, 24h oder 7d',
    number: 'keine Zahl im erlaubten Bereich',
    text: 'kein Text in der erlaubten Länge und Form',
    words: 'Wörter sind zu kurz, zu lang oder zu viele',
    order: 'falsche Reihenfolge mit dem anderen Ende des Bereichs',
    conflict: 'nicht zusammen mit einer anderen Angabe möglich',
  },
  passwordProblems: {
    length: 'Das neue Passwort ist zu kurz oder zu lang.',
    characters: 'Das neue Passwort darf keine Steuerzeichen enthalten.',
    known:
      'Das neue Passwort steht auf der Liste bekannter Passwörter, oder ist eines davon mit einer einfachen Endung.',
    monotonous: 'Das neue Passwort darf nicht nur wenige Zeichen wiederholen oder auf- oder abwärts zählen.',
    names: 'Das neue Passwort darf nicht aus Namen der Person bestehen.',
    same: 'Das neue Passwort muss sich vom aktuellen unterscheiden.',
  },
  problems: {
    'bad-cursor': 'Diese Seite der Liste passt nicht zu den Filtern; bitte die Liste neu öffnen.',
    'no-such-call': 'Von diesem Anruf ist kein Datensatz eingegangen.',
    'no-such-front-end': 'Von diesem Frontend ist kein Datensatz eingegangen.',
    'no-such-search': 'Diese gespeicherte Suche gibt es nicht, oder sie ist nicht freigegeben.',
    'not-your-search': 'Nur wer eine Suche gespeichert hat, darf sie ändern oder löschen.',
    'too-many-searches': 'Die Höchstzahl gespeicherter Suchen ist erreicht; bitte zuerst eine löschen.',
    'no-such-rule': 'Diese Alarmregel gibt es nicht.',
    'no-such-alert': 'Diesen Alarm gibt es nicht.',
    'too-many-rules': 'Die Höchstzahl der Alarmregeln ist erreicht; bitte zuerst eine löschen.',
    'rule-from-file': 'Diese Regel stammt aus der Datei ALERT_RULES und wird dort geändert.',
    'no-such-limit': 'Für diesen Trunk ist keine Grenze gesetzt.',
    'too-many-limits': 'Die Höchstzahl von Grenzen für Trunks ist erreicht; bitte zuerst eine löschen.',
    'precondition-failed': 'Der Eintrag wurde inzwischen geändert oder gelöscht; bitte neu laden.',
    'precondition-required': 'Für eine Änderung muss der Eintrag zuerst gelesen werden; bitte neu laden.',
    'no-such-capture':
      'Diese Replik hat keinen solchen Mitschnitt: Er wurde gelöscht, ist älter als die letzten 100 oder stammt aus der Zeit vor einem Neustart.',
    'no-room-for-capture': 'Auf dem Datenträger für temporäre Dateien ist kein Platz für den Mitschnitt.',
    'too-many-captures':
      'Es wird bereits die Höchstzahl von Mitschnitten gelesen (CAPTURES_AT_ONCE); bitte später erneut versuchen.',
    'may-not-reveal': 'Die Teilnehmer von Anrufen sehen nur Personen mit der Rolle „reveal“.',
    'may-not-upload': 'Mitschnitte hochladen dürfen nur Personen mit der Rolle „reveal“.',
    'may-search-tokens-only':
      'Ohne die Rolle „reveal“ lässt sich nur nach dem suchen, was angezeigt wird: nach den Kennzeichen von Personen, nicht nach ihren Namen.',
    'too-much': 'Die Abfrage dauert zu lange: bitte einen kürzeren Zeitraum oder mehr Filter wählen.',
    'too-many-exports': 'Es läuft bereits die Höchstzahl von Exporten; bitte später erneut versuchen.',
    'too-many-readers':
      'Die Live-Aktualisierung hat bereits die Höchstzahl von Verbindungen; bitte später erneut versuchen.',
    'answer-too-slow': 'Die Antwort braucht länger als erlaubt (PROCESSING_LIMIT_MS).',
    'too-many-long-queries-of-user':
      'Von Ihnen läuft bereits die Höchstzahl langer Abfragen: bitte erneut versuchen, wenn eine davon beendet ist.',
    'too-many-exports-of-user': 'Für diese Person läuft bereits die Höchstzahl von Exporten (EXPORTS_PER_USER).',
    'too-many-readers-of-user':
      'Für diese Person ist bereits die Höchstzahl von Live-Aktualisierungen offen (LIVE_READERS_PER_USER).',
    malformed: 'Die Anfrage ist nicht lesbar.',
    unauthorized: 'Die Anmeldung gilt nicht mehr.',
    forbidden: 'Diese Rollen erlauben das nicht.',
    'not-found': 'Unter dieser Adresse gibt es nichts.',
    'method-not-allowed': 'Diese Methode ist hier nicht erlaubt.',
    'not-acceptable': 'Keiner der angeforderten Medientypen wird unterstützt.',
    timeout: 'Die Anfrage kam zu langsam an.',
    'too-large': 'Die Anfrage ist größer als erlaubt.',
    'unsupported-media-type': 'Diese Art von Datei oder Daten wird nicht unterstützt.',
    'too-many-requests': 'Zu viele Anfragen; bitte später erneut versuchen.',
    internal: 'Auf dem Server ist ein interner Fehler aufgetreten.',
    unavailable: 'Ein benötigter Dienst ist nicht verfügbar; bitte später erneut versuchen.',
    'wrong-password': 'Das aktuelle Passwort ist falsch.',
    'password-elsewhere':
      'Das Passwort lässt sich hier nicht ändern: Die Verwaltung weiß, wo die Personen geführt werden.',
    'no-password':
      'Hier gibt es kein Passwort: Die Anmeldung läuft über Single Sign-on, und das Passwort wird dort geändert.',
    'changed-meanwhile':
      'Der Eintrag wurde gleichzeitig von anderer Seite geändert. Bitte die Seite neu laden und erneut versuchen.',
    'no-identity': 'Diese Person hat sich noch nicht mit Single Sign-on angemeldet.',
    'no-such-session': 'Diese Sitzung gibt es nicht; vielleicht ist sie schon beendet.',
    'no-such-person': 'Es gibt keine Person mit diesem Benutzernamen.',
    'username-in-use':
      'Diesen Benutzernamen hat bereits eine andere Person. Er darf auch nicht die SIP-Adresse einer anderen Person sein.',
    'sip-address-in-use':
      'Diese SIP-Adresse hat bereits eine andere Person. Sie darf auch nicht der Benutzername einer anderen Person sein.',
    'foreign-domain':
      'Die Domain des Benutzernamens oder der SIP-Adresse wird hier nicht bedient: Sie ist keine der SIP_DOMAINS.',
    'rename-interrupted':
      'Eine Umbenennung dieser Person wurde unterbrochen, und es gibt sie unter beiden Namen: bitte noch einmal in denselben Namen umbenennen oder die Person mit dem neuen Namen entfernen.',
    'unknown-contact': 'Ein Kontakt ist keine bekannte Person.',
    'last-admin':
      'Dies ist die letzte Person mit der Rolle „admin“; bitte die Rolle zuerst einer anderen Person geben.',
    'own-account':
      'Niemand mit der Rolle „admin“ kann das eigene Konto entfernen, sperren oder zurücksetzen oder die eigene Rolle abgeben: Das kann nur eine andere Person mit dieser Rolle.',
    'people-elsewhere':
      'Personen lassen sich hier nicht ändern: Sie stehen in einem Verzeichnis (DIRECTORY_URL) oder in einer Datei (PEOPLE_FILE).',
  },
};
