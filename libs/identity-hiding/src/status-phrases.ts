/** Status codes of SIP with their own phrases (RFC 3261 and its registry): such a number is not a telephone number. */
const PHRASES = `
100 Trying|180 Ringing|181 Call Is Being Forwarded|182 Queued|183 Session Progress|199 Early Dialog Terminated|200 OK|202 Accepted|204 No Notification|
300 Multiple Choices|301 Moved Permanently|302 Moved Temporarily|305 Use Proxy|380 Alternative Service|400 Bad Request|401 Unauthorized|
402 Payment Required|403 Forbidden|404 Not Found|405 Method Not Allowed|406 Not Acceptable|407 Proxy Authentication Required|408 Request Timeout|409 Conflict|
410 Gone|412 Conditional Request Failed|413 Request Entity Too Large|414 Request-URI Too Long|415 Unsupported Media Type|416 Unsupported URI Scheme|
417 Unknown Resource-Priority|420 Bad Extension|421 Extension Required|422 Session Interval Too Small|423 Interval Too Brief|424 Bad Location Information|
425 Bad Alert Message|428 Use Identity Header|429 Provide Referrer Identity|430 Flow Failed|433 Anonymity Disallowed|436 Bad Identity Info|
437 Unsupported Credential|438 Invalid Identity Header|439 First Hop Lacks Outbound Support|440 Max-Breadth Exceeded|469 Bad Info Package|470 Consent Needed|
480 Temporarily Unavailable|481 Call/Transaction Does Not Exist|481 Call Leg/Transaction Does Not Exist|482 Loop Detected|483 Too Many Hops|484 Address Incomplete|
485 Ambiguous|486 Busy Here|487 Request Terminated|488 Not Acceptable Here|489 Bad Event|491 Request Pending|493 Undecipherable|
494 Security Agreement Required|500 Server Internal Error|501 Not Implemented|502 Bad Gateway|503 Service Unavailable|504 Server Time-out|
505 Version Not Supported|513 Message Too Large|555 Push Notification Service Not Supported|580 Precondition Failure|600 Busy Everywhere|603 Decline|
604 Does Not Exist Anywhere|606 Not Acceptable|607 Unwanted|608 Rejected`
  .replaceAll('\n', '')
  .split('|');

/** If several begin alike, the longest comes first. */
const LONGEST_FIRST = PHRASES.toSorted((one, other) => other.length - one.length).join('|');
/** Matches them in a text. */
export const STATUS_PHRASES = new RegExp(String.raw`(?<![\w.])(?:${LONGEST_FIRST})(?![\w])`, 'gi');
/** The words of all these phrases. */
export const STATUS_PHRASE_WORDS: readonly string[] = PHRASES.flatMap(
  (phrase) => phrase.toLowerCase().match(/[a-z]+/g) ?? [],
);
