/** The box that a repository asks for, and the one that it got (E20). */
import { z } from 'zod';

/** `[host[:port]/]path[:tag][@digest]`; begins like no option of a command line. */
const IMAGE_NAME =
  /^[a-z0-9][\w.-]{0,99}(?::\d{1,5})?(?:\/[\w.-]{1,100}){0,6}(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$/i;
export const ImageName = z.string().max(255).regex(IMAGE_NAME);
export const isImageName = (text: string): boolean => ImageName.safeParse(text).success;

/** Without what Docker Hub leaves out. A colon before a slash is a registry's port. */
export const splitImageName = (
  image: string,
): { path: string; tag: string | null; digest: string | null } => {
  const [named = '', digest = null] = image.split('@');
  const short = named.replace(/^(?:index\.)?docker\.io\//, '').replace(/^library\//, '');
  const colon = short.indexOf(':', short.lastIndexOf('/') + 1);
  return colon < 0
    ? { path: short, tag: null, digest }
    : { path: short.slice(0, colon), tag: short.slice(colon + 1), digest };
};

/** With the tag that Docker adds. */
export const fullImageName = (image: string): string => {
  const { path, tag, digest } = splitImageName(image);
  const tagged = tag === null && digest !== null ? path : `${path}:${tag ?? 'latest'}`;
  return digest === null ? tagged : `${tagged}@${digest}`;
};

/** In the order in which they count. */
const IMAGE_SOURCES = ['devcontainer', 'workflow', 'tool'] as const;
export const WishedImage = z.object({ image: ImageName, from: z.enum(IMAGE_SOURCES), source: z.string() });
export type WishedImage = z.infer<typeof WishedImage>;

const Port = z.int().min(1).max(65_535);
export const BoxService = z.object({
  name: z.string().regex(/^[a-z0-9][\w-]{0,39}$/i),
  image: ImageName,
  env: z.record(z.string().regex(/^[A-Za-z_]\w{0,99}$/), z.string().max(4_000)),
  ports: z.array(Port).max(20),
  /** A shell command of the image that succeeds when the service is ready. */
  health: z.string().max(1_000).nullable(),
});
export type BoxService = z.infer<typeof BoxService>;

/** Of a machine, as `runs-on` names it. */
export const MachineLabel = z.string().regex(/^[a-z0-9][\w.-]{0,63}$/);

export const BoxWish = z.object({
  images: z.array(WishedImage).max(20),
  services: z.array(BoxService).max(10),
  /** Of the machines that its tests run on; absent where none is asked for. */
  labels: z.array(MachineLabel).max(20).exactOptional(),
});
export type BoxWish = z.infer<typeof BoxWish>;

/** The bytes that ran: of the registry where it has some, else the image's own id. */
export const UsedImage = z.object({ name: z.string(), digest: z.string() });
export type UsedImage = z.infer<typeof UsedImage>;
export const UsedBox = z.object({
  image: UsedImage,
  services: z.array(UsedImage),
  /** The other machine that it was on. */
  host: z.string().exactOptional(),
});
export type UsedBox = z.infer<typeof UsedBox>;
