//! Routes by the `#[utoipa::path]` attributes of their handlers.
//!
//! Tests take utoipa's macro, which also describes the calls. The program takes only path and methods: it contains the finished
//! description ([`crate::app`]), and not the code that makes it, which is a megabyte and would run at every start.

#[cfg(test)]
pub(crate) use utoipa_axum::routes;

/// The route of handlers that share a path, for [`utoipa_axum::router::OpenApiRouter::routes`].
#[cfg(not(test))]
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut paths = utoipa::openapi::path::Paths::new();
        let router = axum::routing::MethodRouter::new();
        $(
            let (path, methods) = utoipa_axum::paste! {
                (utoipa_axum::routes!(@path [path()] of $handler), utoipa_axum::routes!(@path [methods()] of $handler))
            };
            let router = methods.iter().fold(router, |router, method| router.on(method.to_method_filter(), $handler));
            paths.paths.entry(path).or_default();
        )+
        (Vec::new(), paths, router)
    }};
}
#[cfg(not(test))]
pub(crate) use routes;
