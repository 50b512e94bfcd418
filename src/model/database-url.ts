/**
 * A database URL, read. Nothing shows the text of one: what is shown is put together from the parts
 * that are no secret, so that a password cannot come along in a spelling that nobody thought of.
 */

export interface DatabaseUrl {
  readonly host: string;
  readonly port: string;
  /** As a path, `/name`; empty where the URL names none. */
  readonly path: string;
  /** `host:port/database`. */
  readonly place: string;
  /** Reached on this machine: a loopback address or a Unix socket. */
  readonly isLocal: boolean;
}

/**
 * Null for what is no `postgresql://` URL, and for one whose password ended its host too early: in
 * `postgresql://user:1/secret@host/db` the port is 1 and the rest of the password is the database.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | null {
  // Node's URL takes control characters and spaces out of its text or encodes them: nothing of that
  // kind belongs in a URL, and what was pasted around it may be a secret.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, port, pathname, search, hash, searchParams } = new URL(text);
  if (!/^postgres(ql)?:$/.test(protocol) || hash !== '' || /@/.test(pathname + search)) return null;
  // As node-postgres has it: a parameter goes before the authority of the URL.
  const host = searchParams.get('host') || decodeURIComponent(hostname) || 'localhost';
  const shownPort = searchParams.get('port') || port || '5432';
  return {
    host: host.toLowerCase(),
    port: shownPort,
    path: pathname,
    place: `${host}:${shownPort}${pathname}`,
    isLocal: isLocal(host.toLowerCase()),
  };
}

const isLocal = (host: string): boolean =>
  host === 'localhost' ||
  host.startsWith('/') ||
  /^\[?::1\]?$/.test(host) ||
  /^127\.\d+\.\d+\.\d+$/.test(host);

/** What may be shown of a database URL; the same words for whatever is none. */
export const shownDatabaseUrl = (text: string): string => {
  const parsed = parseDatabaseUrl(text);
  return parsed === null ? 'a database URL that cannot be read' : `postgresql://${parsed.place}`;
};
