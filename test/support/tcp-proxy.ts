/**
 * A TCP proxy before a server, for what a network does: it stops answering, or breaks at a chosen
 * byte.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy extends AsyncDisposable {
  /** The server's URL by way of the proxy. */
  readonly url: string;
  /**
   * From now on nothing that the server says comes through; connections stay open, new ones are
   * accepted.
   */
  stall(): void;
  /** Lets through what new connections say; those that were stalled are cut. */
  resume(): void;
  /**
   * Passes the first request that holds `text` on to the server, and cuts the connection before its
   * answer.
   */
  cutAfter(text: string): void;
}

export async function openTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let fatal: string | null = null;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let isDeaf = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        // A client that is cut off leaves the server to finish what it was asked for.
        if (isDeaf) upstream.end();
        else end();
      });
    }
    client.on('data', (bytes: Buffer) => {
      upstream.write(bytes);
      if (fatal === null || !bytes.includes(fatal)) return;
      fatal = null;
      isDeaf = true;
      client.destroy();
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!isStalled && !isDeaf) client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    stall: () => {
      isStalled = true;
    },
    resume: () => {
      isStalled = false;
      cut();
    },
    cutAfter: (text) => {
      fatal = text;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
