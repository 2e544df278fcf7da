/** Scenarios of sipp for calls that fail; answered calls use its built-in ones. */

const SDP = `v=0
o=user1 53655765 2353687637 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000`;

function scenario(...steps: readonly string[]): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="ringdown">\n${steps.join('\n')}\n</scenario>\n`;
}

function send(text: string, attributes = ''): string {
  return `<send ${attributes}><![CDATA[\n${text}\n]]></send>`;
}

function fromCaller(method: string, more = 'Content-Length: 0'): string {
  return `${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: "sipp" <sip:sipp@[local_ip]:[local_port]>;tag=[pid]SIPpTag00[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ${method}
Contact: <sip:sipp@[local_ip]:[local_port]>
Max-Forwards: 70
${more}`;
}

const INVITE = fromCaller('INVITE', `Content-Type: application/sdp\nContent-Length: [len]\n\n${SDP}`);

/** A caller whose call is rejected. */
export function refused(status: number): string {
  return scenario(
    send(INVITE, 'retrans="500"'),
    '<recv response="100" optional="true"/>',
    `<recv response="${status}"/>`,
    send(fromCaller('ACK')),
  );
}

/** CANCEL, and ACK of a rejection, belong to the transaction of their INVITE; sipp starts a new one for each message. */
function sameBranch(text: string): string {
  return text.replace('[branch]', 'z9hG4bK-[pid]-[call_number]-ring');
}

/** A caller who cancels while it rings. */
export function cancelled(): string {
  return scenario(
    send(sameBranch(INVITE), 'retrans="500"'),
    '<recv response="100" optional="true"/>',
    '<recv response="180"/>',
    '<pause milliseconds="200"/>',
    send(sameBranch(fromCaller('CANCEL')).replace('[peer_tag_param]', ''), 'retrans="500"'),
    // The answer to the CANCEL may arrive after the 487.
    '<recv response="200" optional="true"/>',
    '<recv response="487"/>',
    send(sameBranch(fromCaller('ACK'))),
  );
}

function answer(status: string, toTag = ';tag=[pid]SIPpTag01[call_number]'): string {
  return `SIP/2.0 ${status}
[last_Via:]
[last_From:]
[last_To:]${toTag}
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:[local_ip]:[local_port]>
Content-Length: 0`;
}

export function phoneThatIsBusy(): string {
  return scenario('<recv request="INVITE"/>', send(answer('486 Busy Here'), 'retrans="500"'), '<recv request="ACK"/>');
}

/** Rings until the caller cancels. CANCEL is sent hop by hop, so its Via is not the return path of the INVITE. */
export function phoneThatRings(): string {
  const terminated = answer('487 Request Terminated').replace('[last_CSeq:]', 'CSeq: 1 INVITE');
  return scenario(
    '<recv request="INVITE"><action>',
    '<ereg regexp=".*" search_in="hdr" header="Via:" assign_to="proxy"/>',
    '<ereg regexp=".*" search_in="hdr" header="Via:" occurrence="2" assign_to="caller"/>',
    '</action></recv>',
    send(answer('180 Ringing')),
    '<recv request="CANCEL"/>',
    send(answer('200 OK')),
    send(terminated.replace('[last_Via:]', 'Via: [$proxy]\nVia: [$caller]'), 'retrans="500"'),
    '<recv request="ACK"/>',
  );
}
