/** Chooses the image of a box among those that the operator lists, and fetches it once (E20). */
import { z } from 'zod';
import { fullImageName, splitImageName, type BoxWish, type UsedImage } from '#model/environment';
import { MINUTE } from '#model/values';
import { matchesGlob } from '#text-safety';
import { createKeyedLocks } from '../../process/keyed-locks.ts';
import { runContainerEngine, firstOutputLines, parseJson, type ContainerEngine } from './container-engine.ts';

export type RunnableImage = UsedImage & { id: string; volumes: readonly string[] };
/** `says` is a sentence. */
export type ImageRefusal = { says: string };

export type ImageSettings = {
  /** For every repository. */
  image?: string | undefined;
  agentImage?: string | undefined;
  /** Where the repository asks for none that is allowed. */
  otherwise?: string | undefined;
  /** `golang`, `python:3.*`, `ghcr.io/acme/*`; a name without a tag stands for all of its tags. */
  allowed: readonly string[];
};

const partsOf = (name: string): string[] => {
  const { path, tag } = splitImageName(name);
  return [...path.split('/'), tag ?? '*'];
};

/** Pure. A digest is allowed where its name is. */
export const isAllowedImage = (image: string, allowed: readonly string[]): boolean => {
  const { path, tag } = splitImageName(image);
  const have = [...path.split('/'), tag ?? 'latest'];
  return allowed.some((one) => {
    const want = partsOf(one);
    // guard: E20-only-listed-images
    return have.length === want.length && have.every((part, i) => matchesGlob(part, [want[i] ?? '']));
  });
};

/** Pure. Without an image it says what could be done. */
export const chooseImage = (
  { image, otherwise, allowed }: ImageSettings,
  wish: BoxWish | null,
): { name: string } | ImageRefusal => {
  if (image !== undefined) return { name: image };
  const wished = wish?.images ?? [];
  const found = wished.find((one) => isAllowedImage(one.image, allowed))?.image ?? otherwise;
  if (found !== undefined) return { name: found };
  const [first] = wished;
  return {
    says: first
      ? `No image for this repository is allowed. It asks for ${first.image} (${first.source}). To allow that, add it to containers.allowed in agentpr.config.json.`
      : 'This repository names no image for its commands. Set containers.otherwise in agentpr.config.json.',
  };
};

const Inspected = z.array(
  z.object({
    Id: z.string().min(1),
    RepoDigests: z.array(z.string()).nullish(),
    Config: z.object({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  }),
);

const PULL_MS = 20 * MINUTE;
export const inspectImage = async (engine: ContainerEngine, name: string): Promise<RunnableImage | null> => {
  const { stdout } = await runContainerEngine(engine, ['image', 'inspect', name]);
  const found = Inspected.safeParse(parseJson(stdout)).data?.[0];
  if (!found) return null;
  const id = found.Id.startsWith('sha256:') ? found.Id : `sha256:${found.Id}`;
  const ofRegistry = found.RepoDigests?.map((one) => one.replace(/^.*@/, ''))[0];
  return {
    name: fullImageName(name),
    id,
    digest: ofRegistry ?? id,
    volumes: Object.keys(found.Config?.Volumes ?? {}).filter((at) => at.startsWith('/')),
  };
};

/** Podman asks a person, or fails, where the registry is left out. */
const pullName = (name: string): string => {
  const [first = '', ...rest] = name.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')) return name;
  return rest.length > 0 ? `docker.io/${name}` : `docker.io/library/${name}`;
};

export type ImageStore = {
  /** Fetches it where it is missing; an image that is there is never fetched again. */
  fetch(name: string, signal?: AbortSignal): Promise<RunnableImage | ImageRefusal>;
};

/** `note` is called with each image that is used; only one that was just fetched is new. */
export const createImageStore = (
  engine: ContainerEngine,
  note: (image: RunnableImage, how: { isNew: boolean }) => void,
): ImageStore => {
  const oneAtATime = createKeyedLocks();
  return {
    fetch: (name, signal) =>
      oneAtATime(fullImageName(name), async () => {
        const there = await inspectImage(engine, name);
        if (there) {
          note(there, { isNew: false });
          return there;
        }
        const pulled = await runContainerEngine(engine, ['pull', '--quiet', pullName(name)], {
          timeoutMs: PULL_MS,
          ...(signal ? { signal } : {}),
        });
        const now = pulled.exitCode === 0 ? await inspectImage(engine, name) : null;
        if (now) note(now, { isNew: true });
        return now ?? { says: `The image ${name} cannot be fetched: ${firstOutputLines(pulled)}` };
      }),
  };
};
