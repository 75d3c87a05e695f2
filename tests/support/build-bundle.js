// Builds the bundle that tests start as the product, once before any of them asks for it.
import { currentBundle } from '../../build.js';

/** Tests that keep what a bundle made ask for its path. */
export const setup = ({ provide }) => provide('bundle', currentBundle());
