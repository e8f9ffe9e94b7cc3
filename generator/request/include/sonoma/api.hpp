// What the shared library exports.
#pragma once

/// Stands in `namespace SONOMA_API sonoma {` of every header that is installed: libsonoma.so
/// exports what these declare, and hides the rest.
#define SONOMA_API [[gnu::visibility("default")]]
