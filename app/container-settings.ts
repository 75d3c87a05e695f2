/** The section `containers` of agentpr.config.json (E20). */
import { z } from 'zod';
import { ImageName } from '#model/environment';
import { CONTAINER_ENGINES } from '#sandbox';

/** As a name of an image, with `*` for anything within one part of it. */
const ImagePattern = z
  .string()
  .max(255)
  .regex(/^[a-z0-9*][\w.:/*-]*$/i);

export const ContainerSettings = z.strictObject({
  engine: z.enum(CONTAINER_ENGINES).optional(),
  /** For every command of every repository. */
  image: ImageName.optional(),
  /** For agents, whose programs may need another system than the checks. */
  agentImage: ImageName.optional(),
  /** The image of a repository that asks for none that is allowed. */
  otherwise: ImageName.optional(),
  /** Images that repositories may ask for: `golang`, `python:3.*`, `ghcr.io/acme/*`. */
  allowed: z.array(ImagePattern).max(200).default([]),
});
