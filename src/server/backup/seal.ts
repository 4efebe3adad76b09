// How pieces of a backup are written and named: compressed, and encrypted (AES-256-GCM) if there is a passphrase.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';

const compressed = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** With a checksum of what was compressed: a manifest has no other, and with another byte most of them would open. */
const compress = (plain: Uint8Array): Promise<Buffer> =>
  compressed(plain, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });

/** Of a passphrase: what a backup folder says about its key, and nothing from which it could be found other than by trying. */
export const keyDerivation = z.object({
  kdf: z.literal('scrypt'),
  n: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  r: z.int().min(1).max(32),
  p: z.int().min(1).max(16),
  salt: z.string().min(16),
  /** Another passphrase gives another value. */
  check: z.string(),
});
type KeyDerivation = z.infer<typeof keyDerivation>;

/** The stored bytes are not those that were written. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

export interface Seal {
  readonly is_encrypted: boolean;
  /** Equal pieces have equal names. Of an encrypted backup, names say nothing about what is in them. */
  nameOf(plain: Uint8Array): string;
  /** A piece can be opened under its own name only. */
  close(name: string, plain: Uint8Array): Promise<Buffer>;
  /** @throws WrongBytes */
  open(name: string, stored: Uint8Array): Promise<Buffer>;
}

const opened = async (stored: Uint8Array): Promise<Buffer> => {
  try {
    return await decompress(stored);
  } catch (error) {
    throw new WrongBytes(error instanceof Error ? error.message : String(error));
  }
};

export const plainSeal: Seal = {
  is_encrypted: false,
  nameOf: (plain) => createHash('sha256').update(plain).digest('hex'),
  close: (_, plain) => compress(plain),
  open: (_, stored) => opened(stored),
};

const [nonce_bytes, tag_bytes, key_bytes] = [12, 16, 32];
const standard = { kdf: 'scrypt', n: 2 ** 16, r: 8, p: 1 } as const;

function masterOf(passphrase: string, { n, r, p, salt }: Omit<KeyDerivation, 'check'>): Promise<Buffer> {
  const options = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), key_bytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

const keyFor = (use: string, master: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `chatledger backup ${use}`, key_bytes));

const checkOf = (master: Buffer): string => keyFor('check', master).toString('base64url');

/** For a folder that is begun now. */
export async function newKey(passphrase: string): Promise<{ derivation: KeyDerivation; seal: Seal }> {
  const given = { ...standard, salt: randomBytes(16).toString('base64url') };
  const master = await masterOf(passphrase, given);
  return { derivation: { ...given, check: checkOf(master) }, seal: sealOf(master) };
}

/** Undefined if the folder was begun with another passphrase. */
export async function knownKey(passphrase: string, derivation: KeyDerivation): Promise<Seal | undefined> {
  const master = await masterOf(passphrase, derivation);
  return checkOf(master) === derivation.check ? sealOf(master) : undefined;
}

function sealOf(master: Buffer): Seal {
  const [names, contents] = [keyFor('names', master), keyFor('contents', master)];
  return {
    is_encrypted: true,
    nameOf: (plain) => createHmac('sha256', names).update(plain).digest('hex'),
    async close(name, plain) {
      const nonce = randomBytes(nonce_bytes);
      const cipher = createCipheriv('aes-256-gcm', contents, nonce).setAAD(Buffer.from(name));
      const sealed = [cipher.update(await compress(plain)), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
    },
    async open(name, stored) {
      const [nonce, tag] = [stored.subarray(0, nonce_bytes), stored.subarray(nonce_bytes, nonce_bytes + tag_bytes)];
      try {
        const decipher = createDecipheriv('aes-256-gcm', contents, nonce, { authTagLength: tag_bytes });
        decipher.setAAD(Buffer.from(name)).setAuthTag(tag);
        const rest = stored.subarray(nonce_bytes + tag_bytes);
        return await opened(Buffer.concat([decipher.update(rest), decipher.final()]));
      } catch (error) {
        throw new WrongBytes(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
